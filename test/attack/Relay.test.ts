import { createServer } from "node:http"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Redacted } from "effect"
import { type WebSocket, WebSocketServer } from "ws"
import { identityOf } from "../../src/conversations/wire/Identity.ts"
import { layer as relayClient } from "../../src/conversations/wire/NostrRelayClient.ts"
import { type Connection, RelayClient } from "../../src/conversations/wire/RelayClient.ts"
import { Circuits } from "../../src/kernel/outbound/Circuits.ts"
import { Outbound } from "../../src/kernel/outbound/Outbound.ts"
import {
  adapterBody,
  alice,
  bridge,
  bridged,
  bridgeWorld,
  channel,
  eventually,
  routes
} from "../conversations/relay/Bridged.ts"
import { byForm, isFull } from "../support/Form.ts"
import { message } from "../support/relay/Drafts.ts"
import type { Fault } from "../support/relay/Faults.ts"
import { relay } from "../support/relay/Relay.ts"
import { virtualClock } from "../support/VirtualClock.ts"

/** `npm run attack` chooses the long form. */

const deep = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`
const challenge = JSON.stringify(["AUTH", "c".repeat(64)])

/** Words of every type, as the members of a frame. */
const words = ["1", "-0", "1e400", "null", "true", '""', '"x"', "[]", "{}", deep(10_000), '"\\ud800"']

/** Frames that no relay should send. */
const frames: ReadonlyArray<string> = [
  "",
  "no JSON {",
  "\u0000",
  '{"0":"EVENT"}',
  "[[],[]]",
  '["EVENT"]',
  ...words,
  ...["AUTH", "OK", "EVENT", "EOSE", "CLOSED", "NOTICE", "COUNT", "event", "__proto__"].flatMap((verb) =>
    words.map((word) => `["${verb}",${word},${word},${word}]`)
  ),
  `["EVENT","x",{"id":${deep(10_000)},"tags":${deep(10_000)}}]`,
  `["NOTICE","${"n".repeat(500_000)}"]`,
  '["EOSE","never asked"]',
  '["CLOSED","never asked","error: no"]',
  '["EVENT","never asked",{}]'
]

/**
 * A relay that says something as soon as it is called, and what it hears then. `spoken` waits until the client has read
 * its last word.
 */
const relayThat = (speak: (socket: WebSocket) => void, hear?: (socket: WebSocket, text: string) => void) =>
  Effect.gen(function* () {
    const server = createServer()
    const sockets = new WebSocketServer({ server, maxPayload: 1_048_576 })
    const spoken = yield* Deferred.make<void>()
    /** The answer to a ping comes when everything before it was read. */
    const askWhetherRead = (socket: WebSocket) => {
      socket.once("pong", () => Deferred.unsafeDone(spoken, Effect.void))
      socket.ping()
    }
    sockets.on("connection", (socket) => {
      socket.on("error", () => undefined)
      if (hear !== undefined)
        socket.on("message", (data) => {
          hear(socket, data.toString())
          askWhetherRead(socket)
        })
      speak(socket)
      if (hear === undefined) askWhetherRead(socket)
    })
    yield* Effect.acquireRelease(
      Effect.async<void>((resume) => {
        server.listen(0, "127.0.0.1", () => resume(Effect.void))
      }),
      () =>
        Effect.sync(() => {
          for (const socket of sockets.clients) socket.terminate()
          server.close()
        })
    )
    const address = server.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    const connection: Connection = {
      http: `http://127.0.0.1:${port}`,
      webSocket: `ws://127.0.0.1:${port}`,
      allow: { loopback: true, privateNetwork: false },
      identity: yield* identityOf(Redacted.make(bridge.hex)),
      attestation: undefined
    }
    return { connection, spoken: Deferred.await(spoken) }
  })

const client = relayClient.pipe(Layer.provide(Outbound.layer()), Layer.provide(Circuits.layer))

/** Opens a session; once the relay has spoken so much time passes that no patience lasts. */
const reasonOf = ({ connection, spoken }: Effect.Effect.Success<ReturnType<typeof relayThat>>) => {
  const clock = virtualClock(Date.now())
  return clock.live(
    Effect.gen(function* () {
      const { open } = yield* RelayClient
      const opening = yield* Effect.fork(
        Effect.scoped(Effect.flatMap(open(connection), ({ next }) => next)).pipe(
          Effect.match({ onFailure: ({ reason }) => reason, onSuccess: () => "ok" as const })
        )
      )
      yield* Effect.race(Effect.asVoid(Fiber.await(opening)), spoken)
      yield* clock.pass("40 seconds")
      return yield* Fiber.join(opening)
    })
  )
}

const answerWith = (accepted: string) => (socket: WebSocket, text: string) => {
  const [verb, event]: ReadonlyArray<{ readonly id: string } | string> = JSON.parse(text)
  if (verb === "AUTH" && typeof event === "object") socket.send(`["OK","${event.id}",${accepted},"said"]`)
}

const handshakes: ReadonlyArray<
  readonly [
    what: string,
    speak: (socket: WebSocket) => void,
    hear: ((socket: WebSocket, text: string) => void) | undefined,
    reason: string
  ]
> = [
  ["says nothing", () => undefined, undefined, "authentication_missing"],
  [
    "greets with a notice",
    (socket) => socket.send('["NOTICE","hello"]'),
    undefined,
    "authentication_missing"
  ],
  ["challenges with a number", (socket) => socket.send('["AUTH",7]'), undefined, "relay_error"],
  ["challenges with nothing", (socket) => socket.send('["AUTH"]'), undefined, "relay_error"],
  ["challenges with an empty text", (socket) => socket.send('["AUTH",""]'), undefined, "relay_error"],
  [
    "challenges with a megabyte",
    (socket) => socket.send(JSON.stringify(["AUTH", "c".repeat(1_000_000)])),
    undefined,
    "relay_error"
  ],
  [
    "challenges with more than is read",
    (socket) => socket.send(JSON.stringify(["AUTH", "c".repeat(2_000_000)])),
    undefined,
    "response_too_large"
  ],
  ["never answers", (socket) => socket.send(challenge), undefined, "relay_timeout"],
  ["answers with a number", (socket) => socket.send(challenge), answerWith("1"), "relay_error"],
  ["answers with a text", (socket) => socket.send(challenge), answerWith('"true"'), "relay_error"],
  ["answers with null", (socket) => socket.send(challenge), answerWith("null"), "relay_error"],
  ["says no", (socket) => socket.send(challenge), answerWith("false"), "authentication_rejected"],
  [
    "answers for another event",
    (socket) => socket.send(challenge),
    (socket) => socket.send(`["OK","${"0".repeat(64)}",true,""]`),
    "relay_timeout"
  ],
  ["closes at once", (socket) => socket.close(1008), undefined, "socket_lost"],
  ["is cut in the middle of a frame", (socket) => cut(socket), undefined, "socket_lost"],
  [
    "speaks no WebSocket",
    (socket) => raw(socket, Buffer.from([0xff, 0xff, 0xff, 0xff])),
    undefined,
    "relay_error"
  ],
  ["sends what is no text", (socket) => raw(socket, Buffer.from([0x81, 1, 0xff])), undefined, "relay_error"]
]

const streamOf = (socket: WebSocket): { write: (bytes: Buffer) => void; destroy: () => void } =>
  Reflect.get(socket, "_socket")
const raw = (socket: WebSocket, bytes: Buffer) => streamOf(socket).write(bytes)
const cut = (socket: WebSocket) => {
  raw(socket, Buffer.concat([Buffer.from([0x81, 126, 4, 0]), Buffer.from('["NOTICE","')]))
  setTimeout(() => streamOf(socket).destroy(), 20)
}

describe.concurrent("A relay that shakes hands badly", () => {
  for (const [what, speak, hear, reason] of handshakes)
    it.scopedLive(`and ${what} is left with a reason: ${reason}`, () =>
      Effect.gen(function* () {
        assert.strictEqual(yield* reasonOf(yield* relayThat(speak, hear)), reason)
      }).pipe(Effect.provide(client))
    )

  for (const verb of ["EOSE", "CLOSED"])
    it.scopedLive(`is left when it floods with ${verb}, which nobody can take`, () =>
      Effect.gen(function* () {
        const { connection, spoken } = yield* relayThat(
          (socket) => socket.send(challenge),
          (socket, text) => {
            answerWith("true")(socket, text)
            for (let n = 0; n < 11_000; n++) socket.send(`["${verb}","s"]`)
          }
        )
        const { open } = yield* RelayClient
        const session = yield* open(connection)
        yield* spoken
        const { reason } = yield* Effect.flip(Effect.forever(session.next))
        assert.strictEqual(reason, "relay_error")
      }).pipe(Effect.provide(client))
    )
})

const upgrades: ReadonlyArray<readonly [fault: Fault, reason: string]> = [
  [{ type: "redirect", to: "http://127.0.0.1:9/" }, "redirect_refused"],
  [{ type: "status", status: 401 }, "authentication_rejected"],
  [{ type: "status", status: 403 }, "read_refused"],
  [{ type: "status", status: 404 }, "community_mismatch"],
  [{ type: "status", status: 429 }, "rate_limited"],
  [{ type: "status", status: 502 }, "relay_unavailable"],
  [{ type: "status", status: 200, body: "<!doctype html>" }, "relay_error"],
  [{ type: "cut", stored: false }, "relay_unreachable"]
]

/** Bodies that are no answer to anybody's question. */
const bodies: ReadonlyArray<string> = [
  "",
  "<!doctype html>",
  ...words,
  "[null]",
  "[[],7,true]",
  '{"events":{}}',
  '{"events":[1,2]}',
  `{"events":${deep(10_000)}}`,
  `[${deep(10_000)}]`,
  `[{"id":${deep(10_000)}}]`,
  '[{"id":"x"}]'
]

/** Documents of a relay about itself with members of the wrong types. */
const documents: ReadonlyArray<string> = [
  ...bodies,
  ...["name", "version", "supported_nips", "limitation", "self", "community", "commit"].flatMap((name) =>
    words.map((word) => `{"version":"0.2.1","${name}":${word}}`)
  )
]

const some = <A>(all: ReadonlyArray<A>, every: number): ReadonlyArray<A> =>
  isFull ? all : all.filter((_, index) => index % every === 0)

describe("A relay that talks nonsense", () => {
  it.scopedLive("is told apart by how it refuses a socket", () =>
    Effect.gen(function* () {
      for (const [fault, reason] of some(upgrades, 1)) {
        const there = yield* relay()
        const here = yield* routes
        there.faultNext("ws", fault, 50)
        yield* here.put(adapterBody(there.url))
        yield* here.map()
        const health = yield* eventually(
          here.health,
          ({ runtime }) => runtime?.transport.state === "disconnected" && runtime.transport.reconnects > 0
        )
        assert.deepStrictEqual([fault, health.runtime?.transport.reasonCode], [fault, reason])
        assert.isFalse(health.canReceiveReplies)
      }
    }).pipe(Effect.provide(bridgeWorld()))
  )

  it.scopedLive(
    "on a socket does no harm, and what it says in earnest is heard",
    () =>
      Effect.gen(function* () {
        const { here, there } = yield* bridged()
        const current = there.journal.requests.at(-1)?.id ?? ""
        for (const frame of frames) {
          there.say(frame)
          there.say(frame.replace('"x"', JSON.stringify(current)))
        }
        for (let n = 0; n < byForm({ short: 5_000, middle: 20_000, full: 100_000 }); n++)
          there.say('["NOTICE","flood"]')
        const genuine = message({ by: alice, channel, content: "in earnest" })
        yield* there.publish(genuine)
        yield* eventually(here.squad, ({ length }) => length === 1)
        const health = yield* eventually(here.health, ({ canReceiveReplies }) => canReceiveReplies)
        assert.strictEqual(health.status, "healthy")
        assert.strictEqual((yield* here.send("msg_1", "hello")).body.status, "success")
      }).pipe(Effect.provide(bridgeWorld())),
    { timeout: 120_000 }
  )

  it.scopedLive(
    "in answer to a question gets a reason, and never breaks a route",
    () =>
      Effect.gen(function* () {
        const there = yield* relay()
        const here = yield* routes
        yield* here.put(adapterBody(there.url))
        yield* here.map()
        yield* eventually(here.health, ({ canReceiveReplies }) => canReceiveReplies)
        for (const body of some(bodies, 3)) {
          there.serve("/query", (response) => {
            response.writeHead(200, { "content-type": "application/json" })
            response.end(body)
          })
          const definitions = yield* here.call("GET", "/adapters/community/relay/definitions")
          assert.include([200, 409], definitions.status, body.slice(0, 60))
          const health = yield* here.test
          assert.include(["ok", "degraded", "query_response_invalid"], health.compatibility?.reasonCode, body)
          if (health.compatibility?.reasonCode === "ok")
            assert.notInclude(
              health.checks.map(({ id, status }) => `${id} ${status}`),
              "messageRead verified"
            )
          there.serve("/query")
          yield* here.test
        }
        assert.strictEqual((yield* here.test).compatibility?.reasonCode, "ok")
      }).pipe(Effect.provide(bridgeWorld())),
    { timeout: 120_000 }
  )

  it.scopedLive(
    "about itself is unsupported, and says why",
    () =>
      Effect.gen(function* () {
        const there = yield* relay()
        const here = yield* routes
        yield* here.put(adapterBody(there.url))
        for (const document of some(documents, 7)) {
          for (const path of ["/", "/info"])
            there.serve(path, (response) => {
              response.writeHead(200, { "content-type": "application/nostr+json" })
              response.end(document)
            })
          const health = yield* here.test
          assert.include(
            [
              "relay_info_invalid",
              "relay_version_unsupported",
              "relay_commit_unsupported",
              "relay_capability_missing",
              "ok"
            ],
            health.compatibility?.reasonCode,
            document.slice(0, 80)
          )
        }
      }).pipe(Effect.provide(bridgeWorld())),
    { timeout: 120_000 }
  )
})
