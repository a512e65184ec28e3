import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { squadBroadcast } from "../../../src/board/squad/SquadBroadcast.ts"
import { SystemEventKind } from "../../../src/board/squad/SquadMessage.ts"
import * as SquadPost from "../../../src/board/squad/SquadPost.ts"
import { system } from "../../../src/kernel/Actor.ts"
import * as Outbox from "../../../src/storage/events/Outbox.ts"
import { Storage } from "../../../src/storage/Storage.ts"
import { sharedWorld } from "../../support/SharedWorld.ts"
import { World, world } from "../../support/World.ts"

const shared = sharedWorld()

describe("an event of the service", () => {
  it.scopedLive("is told in the unit of what it tells of, and listed when it is asked for", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const storage = yield* Storage
      for (const kind of SystemEventKind.literals) {
        const told = yield* storage.write(
          SquadPost.postSystem({ kind, message: `@codex ${kind}`, taskId: "task_1" }, system)
        )
        assert.deepInclude(told, { agent: "system", system: true, kind, taskId: "task_1", mentions: [] })
      }
      assert.deepStrictEqual((yield* request("GET", "/api/chat/squad")).body, [])
      assert.deepStrictEqual((yield* request("GET", "/api/chat/squad?includeSystem=false")).body, [])
      assert.deepStrictEqual((yield* request("GET", "/api/chat/squad/unread?actor=ann")).body, [])
      assert.deepStrictEqual((yield* request("GET", "/api/notifications?actor=codex")).body, [])
      const events = yield* request("GET", "/api/chat/squad?includeSystem=true")
      assert.deepStrictEqual(
        events.body.map(({ kind }: { kind: string }) => kind),
        SystemEventKind.literals
      )
      assert.strictEqual((yield* request("GET", "/api/chat/squad?includeSystem=x")).status, 400)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("holds no secret", () =>
    Effect.gen(function* () {
      const storage = yield* Storage
      const secret = `ghp_${"a1B2".repeat(9)}`
      const told = yield* storage.write(
        SquadPost.postSystem({ kind: "failed", message: `push with ${secret}` }, system)
      )
      assert.strictEqual(told.message, "push with [REDACTED]")
    }).pipe(Effect.provide(shared))
  )
})

describe("a post", () => {
  it.scopedLive("happens with the unit that makes it, or not at all", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const storage = yield* Storage
      const unit = Effect.zipRight(
        SquadPost.post({ agent: "codex", message: "@ann hi" }, system),
        Effect.fail("the rest of the unit failed")
      )
      assert.isTrue(Exit.isFailure(yield* Effect.exit(storage.write(unit))))
      assert.deepStrictEqual((yield* request("GET", "/api/chat/squad")).body, [])
      assert.deepStrictEqual((yield* request("GET", "/api/notifications?actor=ann")).body, [])
      assert.strictEqual(yield* storage.read(Outbox.head), 0)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is one event and one link of the audit chain, which hold none of its text", () =>
    Effect.gen(function* () {
      const storage = yield* Storage
      const { id } = yield* storage.write(
        SquadPost.post({ agent: "codex", message: "@ann quiet words" }, system)
      )
      const [event, ...others] = yield* storage.read(Outbox.after(0, 10))
      assert.deepStrictEqual(others, [])
      assert.strictEqual(event?.kind, "squad-message.created")
      assert.strictEqual(event?.resourceId, id)
      assert.strictEqual(event?.payload, JSON.stringify({ system: false, mentions: 1 }))
      const audit = yield* storage.select<{ action: string; details: string }>(
        (sql) => sql`SELECT action, details FROM audit`
      )
      assert.deepStrictEqual(audit, [{ action: "squad-message.created", details: event?.payload ?? "" }])
    }).pipe(Effect.provide(world()))
  )
})

describe("the live stream", () => {
  it.scopedLive("gets a message when it is said and whenever its marks change, as it then is", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const storage = yield* Storage
      const said = (yield* request("POST", "/api/chat/squad", { body: { agent: "codex", message: "hi" } }))
        .body
      const path = `/api/chat/squad/${said.id}`
      const latest = Effect.gen(function* () {
        const event = (yield* Outbox.after((yield* Outbox.head) - 1, 1))[0]
        return event === undefined ? undefined : yield* squadBroadcast.render(event)
      })
      assert.strictEqual(squadBroadcast.resource, "squad-message")
      assert.deepStrictEqual(yield* storage.read(latest), {
        message: { type: "squad:message", message: said }
      })
      const pinned = (yield* request("POST", `${path}/pin`, { body: { pinned: true } })).body
      assert.deepStrictEqual(yield* storage.read(latest), {
        message: { type: "squad:message", message: pinned }
      })
      const reacted = (yield* request("POST", `${path}/react`, { body: { actor: "ann", reaction: "+1" } }))
        .body
      assert.deepStrictEqual(yield* storage.read(latest), {
        message: { type: "squad:message", message: reacted }
      })
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("is told nothing of a message that does not exist", () =>
    Effect.gen(function* () {
      const storage = yield* Storage
      const stream = { resource: "squad-message", resourceId: "msg_none" }
      const event = { ...stream, seq: 1, streamSeq: 1, kind: "", payload: "{}", actor: "", createdAt: 0 }
      const rendered = squadBroadcast.render(event)
      assert.isUndefined(yield* storage.read(rendered))
    }).pipe(Effect.provide(shared))
  )
})
