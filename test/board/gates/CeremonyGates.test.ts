import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { seedTask } from "../../support/Seed.ts"
import { sharedWorld } from "../../support/SharedWorld.ts"
import { type Answer, World, world } from "../../support/World.ts"

const shared = sharedWorld()

const minutes = { kind: "minutes", title: "What we said", body: "We keep the plan." }

/** Turns these gates on and all others off, as an admin does. */
const enforce = (gates: Record<string, unknown>) =>
  Effect.flatMap(World, ({ request }) =>
    Effect.forEach([null, gates], (enforcement) =>
      request("PATCH", "/api/settings/features", { as: "admin", body: { enforcement } })
    )
  )

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

const hold = (ceremonyId: string) =>
  Effect.flatMap(World, ({ request }) =>
    request("POST", `/api/ceremonies/${ceremonyId}/complete`, {
      body: { completedBy: "ann", artifacts: [minutes] }
    })
  )

const refusal = (answer: Answer) => {
  assert.strictEqual(answer.status, 400)
  assert.strictEqual(answer.body.success, false)
  assert.strictEqual(answer.body.error.code, "CEREMONY_REQUIRED")
  return answer.body.error.details
}

describe("the gate for design reviews, when it blocks", () => {
  for (const [why, reason, fields] of [
    ["several agents", "several-agents", { agents: ["codex", "claude"] }],
    ["an agent and another assignee", "several-agents", { agents: ["codex"], assignee: "ann" }],
    ["critical priority", "critical-priority", { priority: "critical" }],
    ["a review-heavy run mode", "review-heavy", { runMode: "review-heavy" }]
  ] as const) {
    it.scopedLive(`stops a completion with ${why} until the ceremony was held`, () =>
      Effect.gen(function* () {
        yield* enforce({ ceremonyDesignReview: "block" })
        const id = yield* create(fields)
        const before = yield* read(`/api/tasks/${id}`)
        const details = refusal(yield* patch(id, { status: "done", title: "Finished" }))
        assert.deepInclude(details, {
          gate: "ceremonyDesignReview",
          mode: "block",
          ceremonyType: "design-review",
          taskId: id,
          reasons: [reason]
        })
        assert.deepStrictEqual(yield* read(`/api/tasks/${id}`), before)
        const called = yield* read(`/api/ceremonies/${details.ceremonyId}`)
        assert.deepInclude(called, { status: "pending", taskId: id, reasons: [reason] })
        assert.strictEqual((yield* hold(details.ceremonyId)).status, 200)
        assert.strictEqual((yield* patch(id, { status: "done" })).status, 200)
      }).pipe(Effect.provide(shared))
    )
  }

  it.scopedLive("lets a task pass that gives no reason", () =>
    Effect.gen(function* () {
      yield* enforce({ ceremonyDesignReview: "block" })
      const id = yield* create({ agents: ["codex"], assignee: "codex" })
      assert.strictEqual((yield* patch(id, { status: "done" })).status, 200)
      assert.deepStrictEqual(yield* read("/api/ceremonies"), [])
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("asks for one ceremony, however often somebody tries", () =>
    Effect.gen(function* () {
      yield* enforce({ ceremonyDesignReview: "block" })
      const id = yield* create({ priority: "critical" })
      const tries = yield* Effect.all(
        Array.from({ length: 8 }, () => patch(id, { status: "done" })),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(new Set(tries.map((answer) => refusal(answer).ceremonyId)).size, 1)
      assert.lengthOf(yield* read("/api/ceremonies"), 1)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("takes a ceremony that was called before it asked", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      yield* enforce({ ceremonyDesignReview: "block" })
      const id = yield* create({ priority: "critical" })
      const called = yield* request("POST", "/api/ceremonies", {
        body: { type: "design-review", taskId: id }
      })
      assert.strictEqual(refusal(yield* patch(id, { status: "done" })).ceremonyId, called.body.id)
      yield* hold(called.body.id)
      assert.strictEqual((yield* patch(id, { status: "done" })).status, 200)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("asks again when the task was reopened", () =>
    Effect.gen(function* () {
      yield* enforce({ ceremonyDesignReview: "block" })
      const id = yield* create({ priority: "critical" })
      const first = refusal(yield* patch(id, { status: "done" }))
      yield* hold(first.ceremonyId)
      yield* patch(id, { status: "done" })
      yield* patch(id, { status: "in-progress" })
      const second = refusal(yield* patch(id, { status: "done" }))
      assert.notStrictEqual(second.ceremonyId, first.ceremonyId)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("guards a move, whose operation can be used again, and a bulk update", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      yield* enforce({ ceremonyDesignReview: "block" })
      const id = yield* create({ priority: "critical" })
      const { position, revision } = yield* read(`/api/tasks/${id}`)
      const move = request("POST", `/api/tasks/${id}/move`, {
        headers: { "x-resource-revision": String(revision) },
        body: {
          operationId: "0b5f0a8e-5a5f-4f3e-9a69-4d9f1f0a7c11",
          sourceStatus: "todo",
          sourcePosition: position,
          destinationStatus: "done",
          destinationIndex: 0
        }
      })
      const { ceremonyId } = refusal(yield* move)
      const bulk = yield* request("POST", "/api/tasks/bulk-update", {
        body: { taskIds: [id], updates: { status: "done" } }
      })
      assert.strictEqual(bulk.body.failed[0].code, "CEREMONY_REQUIRED")
      assert.lengthOf(yield* read("/api/ceremonies"), 1)
      yield* hold(ceremonyId)
      const moved = yield* move
      assert.strictEqual(moved.status, 200)
      assert.isFalse(moved.body.replayed)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("comes after the review gate and the closing comment", () =>
    Effect.gen(function* () {
      yield* enforce({ reviewGate: true, closingComments: true, ceremonyDesignReview: "block" })
      const id = yield* create({ priority: "critical" })
      assert.strictEqual((yield* patch(id, { status: "done" })).body.error.code, "REVIEW_GATE_FAILED")
      assert.deepStrictEqual(yield* read("/api/ceremonies"), [])
    }).pipe(Effect.provide(world()))
  )
})

describe("the gate for retrospectives, when it blocks", () => {
  it.scopedLive("stops the completion of work that was blocked", () =>
    Effect.gen(function* () {
      yield* enforce({ ceremonyFailureRetrospective: "block" })
      const id = yield* create()
      for (const status of ["in-progress", "blocked", "in-progress"]) yield* patch(id, { status })
      const details = refusal(yield* patch(id, { status: "done" }))
      assert.deepInclude(details, {
        gate: "ceremonyFailureRetrospective",
        ceremonyType: "failure-retrospective",
        reasons: ["was-blocked"]
      })
      yield* hold(details.ceremonyId)
      assert.strictEqual((yield* patch(id, { status: "done" })).status, 200)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("stops the completion of work whose attempt failed, now or before, and of no other", () =>
    Effect.gen(function* () {
      yield* enforce({ ceremonyFailureRetrospective: "block" })
      const failed = { id: "attempt_1", status: "failed" }
      const passed = { id: "attempt_2", status: "completed" }
      yield* seedTask("fails", {}, { attempt: failed })
      yield* seedTask("failed", {}, { attempt: passed, attempts: [failed] })
      yield* seedTask("passed", {}, { attempt: passed })
      for (const id of ["fails", "failed"]) {
        const details = refusal(yield* patch(id, { status: "done" }))
        assert.deepInclude(details, { taskId: id, reasons: ["failed-attempts"] })
      }
      assert.strictEqual((yield* patch("passed", { status: "done" })).status, 200)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("asks when the design review that came first was held", () =>
    Effect.gen(function* () {
      yield* enforce({ ceremonyDesignReview: "block", ceremonyFailureRetrospective: "block" })
      const id = yield* create({ priority: "critical", status: "blocked" })
      const first = refusal(yield* patch(id, { status: "done" }))
      assert.strictEqual(first.ceremonyType, "design-review")
      assert.lengthOf(yield* read("/api/ceremonies"), 1)
      yield* hold(first.ceremonyId)
      const second = refusal(yield* patch(id, { status: "done" }))
      assert.strictEqual(second.ceremonyType, "failure-retrospective")
      yield* hold(second.ceremonyId)
      assert.strictEqual((yield* patch(id, { status: "done" })).status, 200)
    }).pipe(Effect.provide(world()))
  )
})

describe("a ceremony gate that warns", () => {
  it.scopedLive("completes the task, and leaves a ceremony that waits and a governance trace", () =>
    Effect.gen(function* () {
      yield* enforce({ ceremonyDesignReview: "warn" })
      const id = yield* create({ priority: "critical" })
      assert.strictEqual((yield* patch(id, { status: "done" })).status, 200)
      const [called] = yield* read(`/api/ceremonies?taskId=${id}`)
      assert.deepInclude(called, { status: "pending", type: "design-review" })
      const traces = yield* read(`/api/traces/task/${id}`)
      assert.lengthOf(traces, 1)
      assert.match(traces[0].id, /^govtrace_/)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("says nothing when another gate blocks", () =>
    Effect.gen(function* () {
      yield* enforce({ ceremonyDesignReview: "warn", ceremonyFailureRetrospective: "block" })
      const id = yield* create({ priority: "critical", status: "blocked" })
      assert.strictEqual(refusal(yield* patch(id, { status: "done" })).ceremonyType, "failure-retrospective")
      assert.lengthOf(yield* read("/api/ceremonies"), 1)
      assert.deepStrictEqual(yield* read(`/api/traces/task/${id}`), [])
    }).pipe(Effect.provide(world()))
  )
})
