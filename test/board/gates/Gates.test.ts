import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { entryLimit } from "../../../src/board/tasks/Timer.ts"
import { run } from "../../../src/storage/Sql.ts"
import { Storage } from "../../../src/storage/Storage.ts"
import { seedTask } from "../../support/Seed.ts"
import { sharedWorld } from "../../support/SharedWorld.ts"
import { World, world } from "../../support/World.ts"

const shared = sharedWorld()

const tens = { security: 10, reliability: 10, performance: 10, accessibility: 10 }

const setEnforcement = (enforcement: Record<string, unknown> | null) =>
  Effect.flatMap(World, ({ request }) =>
    request("PATCH", "/api/settings/features", { as: "admin", body: { enforcement } })
  )

/** Turns these gates on and all others off, as an admin does. */
const enforce = (gates: Record<string, unknown>) =>
  Effect.zipRight(setEnforcement(null), setEnforcement(gates))

const create = (fields: Record<string, unknown> = {}) =>
  Effect.flatMap(World, ({ request }) =>
    Effect.map(request("POST", "/api/tasks", { body: { title: "Work", ...fields } }), ({ body }) =>
      String(body.id)
    )
  )

const patch = (id: string, body: Record<string, unknown>) =>
  Effect.flatMap(World, ({ request }) => request("PATCH", `/api/tasks/${id}`, { body }))

const read = (path: string) =>
  Effect.flatMap(World, ({ request }) => Effect.map(request("GET", path), ({ body }) => body))

describe("without gates", () => {
  it.scopedLive("a bare task is completed, and nothing else happens", () =>
    Effect.gen(function* () {
      const id = yield* create()
      const done = yield* patch(id, { status: "done" })
      assert.strictEqual(done.status, 200)
      assert.isFalse(done.body.timeTracking.isRunning)
      assert.deepStrictEqual(yield* read("/api/chat/squad?includeSystem=true"), [])
      assert.deepStrictEqual(yield* read("/api/telemetry/events"), [])
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("a removed enforcement object skips every gate that was on", () =>
    Effect.gen(function* () {
      yield* enforce({ reviewGate: true, closingComments: true, squadChat: true })
      yield* setEnforcement(null)
      assert.notProperty(yield* read("/api/settings/features"), "enforcement")
      const id = yield* create()
      assert.strictEqual((yield* patch(id, { status: "done" })).status, 200)
      assert.deepStrictEqual(yield* read("/api/chat/squad"), [])
    }).pipe(Effect.provide(world()))
  )
})

describe("the review gate", () => {
  it.scopedLive("refuses a completion with a score below 10 or missing, and leaves the task as it was", () =>
    Effect.gen(function* () {
      yield* enforce({ reviewGate: true })
      const id = yield* create({ reviewScores: { security: 10, reliability: 9, performance: 10 } })
      const before = yield* read(`/api/tasks/${id}`)
      const refused = yield* patch(id, { status: "done", title: "Finished" })
      assert.strictEqual(refused.status, 400)
      assert.deepStrictEqual(Object.keys(refused.body).sort(), ["error", "success"])
      assert.deepInclude(refused.body.error, { code: "REVIEW_GATE_FAILED" })
      assert.deepStrictEqual(refused.body.error.details, {
        currentScores: { security: 10, reliability: 9, performance: 10, accessibility: null },
        requiredScores: tens
      })
      assert.deepStrictEqual(yield* read(`/api/tasks/${id}`), before)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("judges the task as it would be: scores and status in one patch pass", () =>
    Effect.gen(function* () {
      yield* enforce({ reviewGate: true })
      const id = yield* create()
      assert.strictEqual((yield* patch(id, { status: "done", reviewScores: tens })).status, 200)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("does not run again on a task that is done already", () =>
    Effect.gen(function* () {
      const id = yield* create({ status: "done" })
      yield* enforce({ reviewGate: true })
      const echoed = yield* patch(id, { status: "done", title: "A better title" })
      assert.strictEqual(echoed.status, 200)
      assert.strictEqual(echoed.body.title, "A better title")
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("guards a move and a bulk update as it guards a patch", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      yield* enforce({ reviewGate: true })
      const id = yield* create()
      const moved = yield* request("POST", `/api/tasks/${id}/move`, {
        headers: { "x-resource-revision": "1" },
        body: {
          operationId: "0b2c54a7-5a3e-4f0c-9d7a-0d7d7a3f6f10",
          sourceStatus: "todo",
          sourcePosition: 0,
          destinationStatus: "done",
          destinationIndex: 0
        }
      })
      assert.strictEqual(moved.body.error.code, "REVIEW_GATE_FAILED")
      const good = yield* create({ reviewScores: tens })
      const bulk = yield* request("POST", "/api/tasks/bulk-update", {
        body: { taskIds: [id, good, "nope"], updates: { status: "done" } }
      })
      assert.deepInclude(bulk.body, { success: false, updated: [good] })
      assert.deepStrictEqual(
        bulk.body.failed.map((failure: { id: string; code: string }) => [failure.id, failure.code]),
        [
          [id, "REVIEW_GATE_FAILED"],
          ["nope", "NOT_FOUND"]
        ]
      )
    }).pipe(Effect.provide(world()))
  )
})

describe("the closing comment", () => {
  it.scopedLive("needs 20 characters: code points, without the white space around them", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      yield* enforce({ closingComments: true })
      const id = yield* create()
      const comment = (text: string) => request("POST", `/api/tasks/${id}/comments`, { body: { text } })
      yield* comment("short one")
      yield* comment(`  ${"🙂".repeat(19)}  `)
      const refused = yield* patch(id, { status: "done" })
      assert.strictEqual(refused.status, 400)
      assert.deepInclude(refused.body.error, { code: "CLOSING_COMMENT_REQUIRED" })
      assert.deepStrictEqual(refused.body.error.details, {
        commentCount: 2,
        longestComment: 19,
        requiredLength: 20
      })
      yield* comment(`\u200bx${"\u200b\u2060\u{e0041}".repeat(20)}`)
      const unseen = yield* patch(id, { status: "done" })
      assert.deepInclude(unseen.body.error.details, { longestComment: 19 }, "what nobody sees says nothing")
      yield* comment("🙂".repeat(20))
      assert.strictEqual((yield* patch(id, { status: "done" })).status, 200)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("is asked for after the review gate", () =>
    Effect.gen(function* () {
      yield* enforce({ closingComments: true, reviewGate: true })
      const id = yield* create()
      assert.strictEqual((yield* patch(id, { status: "done" })).body.error.code, "REVIEW_GATE_FAILED")
      const scored = yield* patch(id, { status: "done", reviewScores: tens })
      assert.strictEqual(scored.body.error.code, "CLOSING_COMMENT_REQUIRED")
    }).pipe(Effect.provide(shared))
  )
})

describe("automatic time tracking", () => {
  for (const rest of ["blocked", "done", "cancelled"]) {
    it.scopedLive(`runs the timer while a task is in progress, until it is ${rest}`, () =>
      Effect.gen(function* () {
        const { request } = yield* World
        yield* enforce({ autoTimeTracking: true })
        const id = yield* create()
        const claimed = yield* patch(id, { status: "in-progress" })
        assert.isTrue(claimed.body.timeTracking.isRunning)
        assert.strictEqual((yield* request("POST", `/api/tasks/${id}/time/start`)).status, 409)
        const rested = yield* patch(id, { status: rest })
        assert.isFalse(rested.body.timeTracking.isRunning)
        assert.lengthOf(rested.body.timeTracking.entries, 1)
        assert.strictEqual(rested.body.revision, 3)
      }).pipe(Effect.provide(shared))
    )
  }
})

describe("a timer that has no room on its task", () => {
  it.scopedLive("leaves the status alone, also among many tasks", () =>
    Effect.gen(function* () {
      yield* enforce({ autoTimeTracking: true })
      const at = "2026-11-21T09:30:00.000Z"
      const entries = Array.from({ length: entryLimit }, (_, n) => ({
        id: `time_${n}`,
        startTime: at,
        endTime: at,
        durationMs: 0,
        manual: true
      }))
      yield* seedTask("full", {}, { timeTracking: { entries, totalMs: 0, isRunning: false } })
      const before = yield* read("/api/tasks/full")
      const failed = yield* patch("full", { status: "in-progress" })
      assert.strictEqual(failed.status, 500)
      assert.deepInclude(failed.body.error, {
        code: "AUTO_TIME_TRACKING_FAILED",
        details: { taskId: "full" }
      })
      const { request } = yield* World
      const bulk = yield* request("POST", "/api/tasks/bulk-update", {
        body: { taskIds: ["full"], updates: { status: "in-progress" } }
      })
      assert.deepInclude(bulk.body.failed[0], { id: "full", code: "AUTO_TIME_TRACKING_FAILED" })
      assert.deepStrictEqual(yield* read("/api/tasks/full"), before)
    }).pipe(Effect.provide(shared))
  )
})

describe("automatic telemetry", () => {
  it.scopedLive("emits run.started and run.completed once for each change, and nothing for blocked", () =>
    Effect.gen(function* () {
      yield* enforce({ autoTelemetry: true })
      const id = yield* create()
      yield* patch(id, { status: "in-progress" })
      yield* patch(id, { status: "in-progress", title: "Still at it" })
      yield* patch(id, { status: "blocked" })
      yield* patch(id, { status: "done" })
      yield* patch(id, { status: "in-progress" })
      yield* patch(id, { status: "cancelled" })
      const events = yield* read(`/api/telemetry/events/task/${id}`)
      assert.deepStrictEqual(
        events.map((event: { type: string; success?: boolean }) => [event.type, event.success]).reverse(),
        [
          ["run.started", undefined],
          ["run.completed", true],
          ["run.started", undefined],
          ["run.completed", false]
        ]
      )
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("leaves the status alone when its event can't be stored", () =>
    Effect.gen(function* () {
      const storage = yield* Storage
      yield* enforce({ autoTelemetry: true })
      const id = yield* create()
      yield* storage.write(run((sql) => sql`DROP TABLE telemetry`))
      const failed = yield* patch(id, { status: "in-progress" })
      assert.strictEqual(failed.status, 500)
      assert.deepInclude(failed.body.error, { code: "AUTO_TELEMETRY_FAILED", details: { taskId: id } })
      const task = yield* read(`/api/tasks/${id}`)
      assert.deepInclude(task, { status: "todo", revision: 1, position: 0 })
    }).pipe(Effect.provide(world()))
  )
})

describe("lifecycle posts", () => {
  it.scopedLive("tell the squad of in-progress, blocked, done and cancelled, one ordinary message each", () =>
    Effect.gen(function* () {
      yield* enforce({ squadChat: true })
      const id = yield* create()
      for (const status of ["in-progress", "blocked", "todo", "backlog", "done", "cancelled", "cancelled"]) {
        yield* patch(id, { status })
      }
      const posts = yield* read("/api/chat/squad")
      assert.deepStrictEqual(
        posts.map((post: { message: string }) => post.message.split(" ").at(-1)),
        ["in-progress", "blocked", "done", "cancelled"]
      )
      for (const post of posts) {
        assert.deepInclude(post, { agent: "codex", taskId: id, system: false, tags: ["lifecycle"] })
      }
    }).pipe(Effect.provide(world()))
  )
})
