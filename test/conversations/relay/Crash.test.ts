import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, type Scope } from "effect"
import { sql } from "../../../src/storage/Sql.ts"
import * as Process from "../../support/Process.ts"
import { message } from "../../support/relay/Drafts.ts"
import { seconds } from "../../support/relay/Keys.ts"
import { relay } from "../../support/relay/Relay.ts"
import type { TestRelay } from "../../support/relay/TestRelay.ts"
import { readDatabase } from "../../support/TestStorage.ts"
import { send, temporaryDirectory } from "../../support/World.ts"
import { adapterBody, alice, bridge, channel, eventually } from "./Bridged.ts"

const root = "/api/integrations/communication/adapters/community"

const startServer = (directory: string) =>
  Process.start(directory, { RELAY_PRIVATE_KEY: bridge.hex, SERVICE_LOG_LEVEL: "error" })

const call = ({ baseUrl }: Process.ServerProcess, method: string, path: string, body?: unknown) =>
  Effect.map(send(baseUrl, method, `${root}${path}`, { as: "admin", body }), (answer) => answer.body)

const connected = (server: Process.ServerProcess, there: TestRelay) =>
  Effect.gen(function* () {
    yield* call(server, "PUT", "", adapterBody(there.url))
    yield* call(server, "PUT", `/relay/channels/${channel}`, {
      target: { kind: "squad" },
      enabled: true,
      actor: "bridge"
    })
    yield* eventually(call(server, "GET", "/health"), ({ canReceiveReplies }) => canReceiveReplies)
  })

const messagesIn = (directory: string) =>
  Effect.map(
    readDatabase<{ id: string }>(directory, sql`SELECT id FROM squad_messages WHERE id LIKE 'msg_relay_%'`),
    (found) => found.map(({ id }) => id.slice("msg_relay_".length)).sort()
  )

/** Runs a server until something has happened, kills it in the middle, and starts it again on its directory. */
const crash = <A, B>(
  directory: string,
  until: (server: Process.ServerProcess) => Effect.Effect<A, never, Scope.Scope>,
  after: (server: Process.ServerProcess) => Effect.Effect<B>
) =>
  Effect.gen(function* () {
    yield* Effect.scoped(
      Effect.gen(function* () {
        const server = yield* startServer(directory)
        yield* until(server)
        yield* server.end("SIGKILL")
      })
    )
    return yield* Effect.scoped(Effect.flatMap(startServer(directory), after))
  })

/** Each of these holds a message in one of the windows on its way, until the relay has seen so much of it. */
const windows = {
  "before the relay has it": (there: TestRelay) => {
    there.faultNext("/events", { type: "hang" })
    return there.waitFor(({ http }) => http.some(({ path }) => path === "/events"))
  },
  "after the relay has it and before it says so": (there: TestRelay) => {
    there.faultNext("/events", { type: "slow", ms: 60_000 })
    return there.waitFor(({ accepted }) => accepted.length > 0)
  },
  "after the connection broke under the answer": (there: TestRelay) => {
    there.faultNext("/events", { type: "cut", stored: true })
    return there.waitFor(({ http }) => http.some(({ path }) => path === "/events"))
  },
  "as the relay says that it has it": (there: TestRelay) =>
    there.waitFor(({ http }) => http.some(({ path, status }) => path === "/events" && status === 200))
} as const

describe("A server that is killed between its chat and a relay", () => {
  for (const [name, hold] of Object.entries(windows))
    it.scopedLive(`has sent its message once when it was killed ${name}`, () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        // The echo would settle the delivery: here only the answer may.
        const there = yield* relay()
        yield* crash(
          directory,
          (server) =>
            Effect.gen(function* () {
              yield* connected(server, there)
              there.deaf(true)
              const held = hold(there)
              const sending = yield* Effect.fork(
                Effect.exit(
                  call(server, "POST", "/send", {
                    target: { kind: "squad", squadMessageId: "msg_once" },
                    message: "only once",
                    actor: "ann"
                  })
                )
              )
              yield* held
              yield* Effect.addFinalizer(() => Fiber.interruptFork(sending))
            }),
          (server) =>
            Effect.gen(function* () {
              yield* eventually(call(server, "GET", "/health"), ({ canSend }) => canSend)
              yield* call(server, "POST", "/poll")
              const again = yield* call(server, "POST", "/send", {
                target: { kind: "squad", squadMessageId: "msg_once" },
                message: "only once",
                actor: "ann"
              })
              assert.strictEqual(again.status, "success")
              const [first, ...others] = there.eventsIn(channel)
              assert.deepStrictEqual([first?.id, others], [again.event.id, []])
              assert.deepStrictEqual(yield* messagesIn(directory), [], "no echo in the chat")
            })
        )
      })
    )

  it.scopedLive("has each message once when it was killed between projection and cursor", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const there = yield* relay()
      yield* crash(
        directory,
        (server) =>
          Effect.gen(function* () {
            yield* connected(server, there)
            // The past can't be read to its end, so what comes live is there and the cursor stands before it.
            there.faultNext("/query", { type: "hang" })
            there.closeSubscriptions("error: database error")
            yield* there.waitFor(({ requests }) => requests.length > 1)
            yield* there.waitFor(
              ({ frames }) => frames.filter(({ text }) => text.startsWith('["EOSE"')).length > 1
            )
            for (let n = 0; n < 5; n++)
              yield* there.publish(message({ by: alice, channel, content: `live ${n}` }))
            yield* eventually(messagesIn(directory), (ids) => ids.length === 5)
          }),
        () =>
          Effect.gen(function* () {
            const all = there.eventsIn(channel).map(({ id }) => id)
            yield* there.publish(message({ by: alice, channel, content: "after" }))
            const ids = yield* eventually(messagesIn(directory), ({ length }) => length === 6)
            assert.includeMembers(ids, all)
          })
      )
    })
  )

  it.scopedLive("has each message once when it was killed in the middle of a catch-up", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const there = yield* relay()
      const start = seconds() - 1_000
      const history = Array.from({ length: 400 }, (_, n) =>
        message({ by: alice, channel, content: `${n}`, at: start + n })
      )
      yield* there.seed(history)
      const killed = yield* Effect.exit(
        crash(
          directory,
          (server) =>
            Effect.gen(function* () {
              yield* call(server, "PUT", "", adapterBody(there.url))
              yield* call(server, "PUT", `/relay/channels/${channel}`, {
                target: { kind: "squad" },
                enabled: true,
                actor: "bridge"
              })
              // Units are committed one by one: some are there and others not.
              yield* eventually(messagesIn(directory), ({ length }) => length > 0)
            }),
          () => eventually(messagesIn(directory), ({ length }) => length >= 400)
        )
      )
      if (Exit.isFailure(killed)) return yield* killed
      assert.deepStrictEqual(killed.value, history.map(({ id }) => id).sort())
    })
  )
})
