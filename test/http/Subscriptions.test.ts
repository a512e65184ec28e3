import { assert, describe, it } from "@effect/vitest"
import { Array as Arr, Effect, Schema } from "effect"
import { Hub } from "../../src/http/Hub.ts"
import { ServerAddress } from "../../src/http/Server.ts"
import { clientMessages } from "../../src/http/SocketMessages.ts"
import type { Broadcast } from "../../src/storage/events/Broadcast.ts"
import {
  clientMessage,
  follow,
  leave,
  type Subscription,
  SubscriptionRefused
} from "../../src/storage/events/Subscription.ts"
import { run, sql } from "../../src/storage/Sql.ts"
import { Storage } from "../../src/storage/Storage.ts"
import { recordChange } from "../support/Journal.ts"
import { type Listener, listen } from "../support/Socket.ts"
import { streamServer } from "../support/Stream.ts"
import { type As, keys, World, world } from "../support/World.ts"

/** A room of things: what happens to one that is secret is told to administrators alone. */
const things: Broadcast = {
  resource: "thing",
  render: ({ resourceId }) =>
    Effect.succeed({
      message: { type: "thing", thing: resourceId },
      ...(resourceId.startsWith("secret")
        ? { audience: ({ permissions }) => permissions.has("admin:manage") }
        : {})
    })
}

/** Two things can be followed at once, by their events; a secret one by administrators. */
const followThings: Subscription = {
  limit: { most: 2, called: "things" },
  messages: [
    clientMessage("thing:follow", Schema.Struct({ thing: Schema.String, after: Schema.Int }), (asked, by) =>
      asked.thing.startsWith("secret") && !by.permissions.has("admin:manage")
        ? new SubscriptionRefused({ code: "PERMISSION_DENIED", message: "This thing is secret" })
        : Effect.succeed(
            follow(
              asked.thing,
              {
                _tag: "Events",
                stream: { resource: "thing", resourceId: asked.thing },
                after: asked.after,
                tell: ({ streamSeq }) => ({ type: "thing:event", sequence: streamSeq }),
                tellGap: (gap) => ({ type: "thing:gap", ...gap })
              },
              { type: "thing:followed", thing: asked.thing }
            )
          )
    ),
    clientMessage("thing:leave", Schema.Struct({ thing: Schema.String }), ({ thing }) =>
      Effect.succeed(leave(thing, { type: "thing:left", thing }))
    )
  ]
}

const server = streamServer(Hub.layer([things]), [followThings])

const open = (as: As, path = "/ws") =>
  Effect.flatMap(ServerAddress, ({ port }) =>
    listen(`http://127.0.0.1:${port}`, { path, headers: { "x-api-key": keys[as] } })
  )

const change = (...names: ReadonlyArray<string>) =>
  Effect.flatMap(Storage, ({ write }) => Effect.forEach(names, (name) => write(recordChange(name))))

const ask = (listener: Listener, message: object) => Effect.zipRight(listener.send(message), listener.next)

const take = (listener: Listener, count: number) =>
  Effect.forEach(Arr.makeBy(count, String), () => listener.next)

const namesOf = (messages: ReadonlyArray<{ readonly thing: string }>) => messages.map(({ thing }) => thing)

describe("a message with an audience", () => {
  it.scopedLive("is told to those who belong to it, and the others hear what comes after it", () =>
    Effect.gen(function* () {
      const admin = yield* open("admin")
      const agent = yield* open("agent")
      yield* change("secret", "open")
      assert.deepStrictEqual(namesOf(yield* take(admin, 2)), ["secret", "open"])
      assert.deepStrictEqual(namesOf(yield* take(agent, 1)), ["open"])
    }).pipe(Effect.provide(server))
  )

  it.scopedLive("is replayed to those who belong to it alone", () =>
    Effect.gen(function* () {
      yield* change("secret", "open", "secret-too")
      const admin = yield* open("admin", "/ws?afterSequence=0")
      const agent = yield* open("agent", "/ws?afterSequence=0")
      assert.deepStrictEqual(namesOf(yield* take(admin, 3)), ["secret", "open", "secret-too"])
      yield* change("last")
      assert.deepStrictEqual(namesOf(yield* take(agent, 2)), ["open", "last"])
    }).pipe(Effect.provide(server))
  )
})

describe("what a room lets clients follow", () => {
  it.scopedLive("is confirmed, and then told from behind the sequence that the client has seen", () =>
    Effect.gen(function* () {
      yield* change("one", "one", "one")
      const listener = yield* open("agent", "/ws?afterSequence=3")
      assert.deepStrictEqual(yield* ask(listener, { type: "thing:follow", thing: "one", after: 1 }), {
        type: "thing:followed",
        thing: "one"
      })
      assert.deepStrictEqual(yield* take(listener, 2), [
        { type: "thing:event", sequence: 2 },
        { type: "thing:event", sequence: 3 }
      ])
      yield* change("one")
      const heard = yield* listener.until(({ type }) => type === "thing:event")
      assert.strictEqual(heard.sequence, 4)
      assert.deepInclude(yield* ask(listener, { type: "thing:leave", thing: "one" }), { type: "thing:left" })
    }).pipe(Effect.provide(server))
  )

  it.scopedLive("says what is missing when the events behind that sequence are no longer kept", () =>
    Effect.gen(function* () {
      yield* change("one", "one", "one", "one")
      const { write } = yield* Storage
      yield* write(run(sql`DELETE FROM outbox WHERE resource_id = 'one' AND stream_seq < 4`))
      const listener = yield* open("agent")
      yield* ask(listener, { type: "thing:follow", thing: "one", after: 1 })
      assert.deepStrictEqual(yield* take(listener, 2), [
        { type: "thing:gap", from: 2, to: 3 },
        { type: "thing:event", sequence: 4 }
      ])
    }).pipe(Effect.provide(server))
  )

  it.scopedLive("is refused by the room's own word", () =>
    Effect.gen(function* () {
      const message = { type: "thing:follow", thing: "secret", after: 0 }
      assert.deepStrictEqual(yield* ask(yield* open("agent"), message), {
        type: "error",
        code: "PERMISSION_DENIED",
        message: "This thing is secret",
        requestType: "thing:follow"
      })
      assert.deepInclude(yield* ask(yield* open("admin"), message), { type: "thing:followed" })
    }).pipe(Effect.provide(server))
  )

  it.scopedLive("has the limit that the room gives, of which what was left counts no more", () =>
    Effect.gen(function* () {
      const listener = yield* open("agent")
      const begin = (thing: string) => ask(listener, { type: "thing:follow", thing, after: 0 })
      yield* begin("one")
      yield* begin("two")
      assert.deepStrictEqual(yield* begin("three"), {
        type: "error",
        code: "LIMIT_REACHED",
        message: "A connection follows at most 2 things",
        requestType: "thing:follow"
      })
      assert.deepInclude(yield* begin("two"), { type: "thing:followed" })
      yield* ask(listener, { type: "thing:leave", thing: "one" })
      assert.deepInclude(yield* begin("three"), { type: "thing:followed" })
    }).pipe(Effect.provide(server))
  )

  it("is asked for by messages that no other room declares", () => {
    assert.throws(() => clientMessages([followThings, followThings]), "Two rooms declare the same message")
  })
})

describe("a message that nobody understands", () => {
  it.scopedLive("is answered with all that can be said", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* World
      const listener = yield* listen(baseUrl)
      for (const message of ["{", "[]", "null", { type: "shout" }, { type: 1 }]) {
        assert.deepStrictEqual(yield* Effect.zipRight(listener.send(message), listener.next), {
          type: "error",
          code: "VALIDATION_ERROR",
          message:
            "Expected a JSON object of type subscribe, unsubscribe, chat:subscribe, chat:unsubscribe, run-session:subscribe, resume or ping"
        })
      }
    }).pipe(Effect.provide(world()))
  )
})

describe("a message whose fields do not fit", () => {
  it.scopedLive("is answered with the fields, and without what was sent", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* World
      const listener = yield* listen(baseUrl)
      for (const [asked, message] of [
        [{ type: "subscribe" }, "taskId: is missing"],
        [{ type: "subscribe", taskId: 5 }, "taskId: Expected string"],
        [{ type: "subscribe", taskId: "a".repeat(201) }, "taskId: Expected at most 200 characters"],
        [
          { type: "subscribe", taskId: "a", attemptId: 7, afterSequence: -1 },
          "attemptId: Expected string or null; afterSequence: Expected an integer from 0 to 9007199254740991 or null"
        ],
        [{ type: "resume", afterSequence: "1" }, "afterSequence: Expected number"]
      ] as const) {
        assert.deepStrictEqual(yield* Effect.zipRight(listener.send(asked), listener.next), {
          type: "error",
          code: "VALIDATION_ERROR",
          message,
          requestType: asked.type
        })
      }
    }).pipe(Effect.provide(world()))
  )
})
