import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as SquadMarks from "../../../src/board/squad/SquadMarks.ts"
import { system } from "../../../src/kernel/Actor.ts"
import { Storage } from "../../../src/storage/Storage.ts"
import { sharedWorld } from "../../support/SharedWorld.ts"
import { World, world } from "../../support/World.ts"

const shared = sharedWorld()

const say = (message: string, agent = "codex") =>
  Effect.flatMap(World, ({ request }) =>
    Effect.map(request("POST", "/api/chat/squad", { body: { agent, message } }), ({ body }) => body)
  )

/** The kinds of the events that were recorded of a message. */
const eventsOf = (id: string) =>
  Effect.flatMap(Storage, (storage) =>
    Effect.map(
      storage.select<{ kind: string }>(
        (sql) =>
          sql`SELECT kind FROM outbox WHERE resource = 'squad-message' AND resource_id = ${id} ORDER BY seq`
      ),
      (events) => events.map(({ kind }) => kind)
    )
  )

describe("pinning", () => {
  it.scopedLive("sets the marks that it names and leaves the other one", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const said = yield* say("We take SQLite")
      const pin = (body: object) =>
        Effect.map(request("POST", `/api/chat/squad/${said.id}/pin`, { body }), ({ body, status }) => {
          assert.strictEqual(status, 200)
          return body
        })
      assert.deepStrictEqual(yield* pin({ pinned: true }), { ...said, pinned: true })
      assert.deepStrictEqual(yield* pin({ decision: true }), { ...said, pinned: true, decision: true })
      const unpinned = yield* pin({ pinned: false })
      assert.deepStrictEqual(unpinned, { ...said, decision: true })
      assert.deepStrictEqual((yield* request("GET", "/api/chat/squad")).body, [unpinned])
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is an event only when a mark changes", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const { id } = yield* say("hi")
      for (const pinned of [false, true, true]) {
        yield* request("POST", `/api/chat/squad/${id}/pin`, { body: { pinned } })
      }
      assert.deepStrictEqual(yield* eventsOf(id), ["squad-message.created", "squad-message.pinned"])
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("needs a mark, a flag, and a message that exists", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const { id } = yield* say("hi")
      for (const body of [undefined, {}, { pinned: "x" }, { decision: "x" }, { pinned: null }]) {
        const refused = yield* request("POST", `/api/chat/squad/${id}/pin`, { body })
        assert.strictEqual(refused.status, 400)
        assert.strictEqual(refused.body.code, "VALIDATION_ERROR")
      }
      const unknown = yield* request("POST", "/api/chat/squad/msg_none/pin", { body: { pinned: true } })
      assert.strictEqual(unknown.status, 404)
      assert.strictEqual(unknown.body.code, "NOT_FOUND")
    }).pipe(Effect.provide(shared))
  )
})

describe("a reaction", () => {
  it.scopedLive("counts once for each actor, in the order in which they came", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const said = yield* say("hi")
      const react = (actor: string, reaction: string) =>
        request("POST", `/api/chat/squad/${said.id}/react`, { body: { actor, reaction } })
      yield* react("bob", "🎉")
      yield* react("ann", "+1")
      yield* react("ann", "🎉")
      const again = yield* react("bob", "🎉")
      assert.strictEqual(again.status, 200)
      assert.deepStrictEqual(again.body, {
        ...said,
        reactions: [
          { actor: "bob", reaction: "🎉" },
          { actor: "ann", reaction: "+1" },
          { actor: "ann", reaction: "🎉" }
        ]
      })
      assert.deepStrictEqual((yield* request("GET", "/api/chat/squad")).body, [again.body])
      assert.strictEqual((yield* eventsOf(said.id)).length, 4)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("counts once when it comes many times at once", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const { id } = yield* say("hi")
      const react = request("POST", `/api/chat/squad/${id}/react`, { body: { actor: "ann", reaction: "+1" } })
      const answers = yield* Effect.all(
        Array.from({ length: 20 }, () => react),
        { concurrency: "unbounded" }
      )
      for (const { body, status } of answers) {
        assert.strictEqual(status, 200)
        assert.deepStrictEqual(body.reactions, [{ actor: "ann", reaction: "+1" }])
      }
      assert.deepStrictEqual(yield* eventsOf(id), ["squad-message.created", "squad-message.reacted"])
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("needs an actor, a reaction, and a message that exists", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const { id } = yield* say("hi")
      const invalid = [
        {},
        { actor: "ann" },
        { reaction: "+1" },
        { actor: "ann", reaction: "" },
        { actor: "ann", reaction: "x".repeat(65) },
        { actor: 1, reaction: "+1" }
      ]
      for (const body of invalid) {
        assert.strictEqual((yield* request("POST", `/api/chat/squad/${id}/react`, { body })).status, 400)
      }
      const body = { actor: "ann", reaction: "+1" }
      assert.strictEqual((yield* request("POST", "/api/chat/squad/msg_none/react", { body })).status, 404)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("is refused when the message is full, and one that it has is still fine", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const { id } = yield* say("hi")
      const storage = yield* Storage
      const full = Effect.forEach(
        Array.from({ length: 500 }, (_, index) => `a${index}`),
        (actor) => SquadMarks.react(id, { actor, reaction: "+1" }, system)
      )
      yield* storage.write(full)
      const react = (actor: string) =>
        request("POST", `/api/chat/squad/${id}/react`, { body: { actor, reaction: "+1" } })
      const refused = yield* react("one too many")
      assert.strictEqual(refused.status, 409)
      assert.deepStrictEqual(refused.body, {
        error: `Message ${id} has 500 reactions and takes no more`,
        code: "CONFLICT",
        details: { messageId: id, limit: 500 }
      })
      assert.strictEqual((yield* react("a7")).status, 200)
    }).pipe(Effect.provide(shared))
  )
})

describe("what an actor has not read", () => {
  it.scopedLive("is what others said since, oldest first, without the service's own events", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const one = yield* say("one")
      yield* say("mine", "ann")
      const two = yield* say("two", "claude")
      const unread = Effect.map(request("GET", "/api/chat/squad/unread?actor=ann"), ({ body }) => body)
      assert.deepStrictEqual(yield* unread, [one, two])
      assert.deepStrictEqual(yield* unread, [one, two], "listing marks nothing read")
      const read = yield* request("POST", "/api/chat/squad/read", {
        body: { actor: "ann", messageId: one.id }
      })
      assert.strictEqual(read.status, 200)
      assert.deepStrictEqual(read.body, { actor: "ann", messageId: one.id, unreadCount: 1 })
      assert.deepStrictEqual(yield* unread, [two])
      yield* request("POST", "/api/chat/squad/read", { body: { actor: "ann", messageId: two.id } })
      assert.deepStrictEqual(yield* unread, [])
      const others = yield* request("GET", "/api/chat/squad/unread?actor=bob")
      assert.strictEqual(others.body.length, 3)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("never grows back: the cursor only moves forward", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const messages = yield* Effect.forEach(
        Array.from({ length: 10 }, (_, index) => `${index}`),
        (text) => say(text)
      )
      const read = ({ id }: { readonly id: string }) =>
        request("POST", "/api/chat/squad/read", { body: { actor: "ann", messageId: id } })
      yield* Effect.forEach(messages, read, { concurrency: "unbounded" })
      const back = yield* read(messages[3])
      assert.deepStrictEqual(back.body, { actor: "ann", messageId: messages[9].id, unreadCount: 0 })
      assert.deepStrictEqual((yield* request("GET", "/api/chat/squad/unread?actor=ann")).body, [])
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("comes in pages that begin where the last one ended", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      for (let index = 0; index < 5; index++) yield* say(`${index}`)
      const seen: Array<string> = []
      for (;;) {
        const page = (yield* request("GET", "/api/chat/squad/unread?actor=ann&limit=2")).body
        if (page.length === 0) break
        seen.push(...page.map(({ message }: { message: string }) => message))
        yield* request("POST", "/api/chat/squad/read", {
          body: { actor: "ann", messageId: page.at(-1).id }
        })
      }
      assert.deepStrictEqual(seen, ["0", "1", "2", "3", "4"])
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("needs an actor, and a message that exists", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const { id } = yield* say("hi")
      assert.strictEqual((yield* request("GET", "/api/chat/squad/unread")).status, 400)
      assert.strictEqual((yield* request("GET", "/api/chat/squad/unread?actor=")).status, 400)
      for (const body of [{}, { actor: "ann" }, { messageId: id }, { actor: " ", messageId: id }]) {
        assert.strictEqual((yield* request("POST", "/api/chat/squad/read", { body })).status, 400)
      }
      const unknown = yield* request("POST", "/api/chat/squad/read", {
        body: { actor: "ann", messageId: "msg_none" }
      })
      assert.strictEqual(unknown.status, 404)
      assert.deepInclude(unknown.body, { code: "NOT_FOUND", details: { messageId: "msg_none" } })
    }).pipe(Effect.provide(shared))
  )
})
