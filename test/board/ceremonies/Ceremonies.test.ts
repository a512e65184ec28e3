import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { sharedWorld } from "../../support/SharedWorld.ts"
import { World, world } from "../../support/World.ts"

const shared = sharedWorld()

const minutes = { kind: "minutes", title: "What we said", body: "We keep the plan." }

const create = (fields: Record<string, unknown> = {}) =>
  Effect.flatMap(World, ({ request }) =>
    Effect.map(request("POST", "/api/tasks", { body: { title: "Work", ...fields } }), ({ body }) =>
      String(body.id)
    )
  )

const post = (path: string, body: unknown) =>
  Effect.flatMap(World, ({ request }) => request("POST", path, { body }))

const get = (path: string) => Effect.flatMap(World, ({ request }) => request("GET", path))

describe("a ceremony", () => {
  it.scopedLive("is called about a task, with links, participants and the artifacts that it needs", () =>
    Effect.gen(function* () {
      const taskId = yield* create()
      const called = yield* post("/api/ceremonies", {
        type: "design-review",
        taskId,
        runId: "run_1",
        workflowId: "wf_1",
        participants: ["ann", "codex", "ann"],
        requiredArtifacts: ["minutes"]
      })
      assert.strictEqual(called.status, 201)
      assert.deepInclude(called.body, {
        type: "design-review",
        status: "pending",
        taskId,
        runId: "run_1",
        workflowId: "wf_1",
        participants: ["ann", "codex"],
        requiredArtifacts: ["minutes"],
        artifacts: [],
        actionItems: [],
        reasons: []
      })
      assert.deepStrictEqual((yield* get(`/api/ceremonies/${called.body.id}`)).body, called.body)
      const plain = yield* post("/api/ceremonies", { type: "failure-retrospective", taskId })
      assert.deepInclude(plain.body, { runId: null, workflowId: null })
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("keeps what it brought forth, without the secrets in it", () =>
    Effect.gen(function* () {
      const taskId = yield* create()
      const { body: called } = yield* post("/api/ceremonies", { type: "design-review", taskId })
      const held = yield* post(`/api/ceremonies/${called.id}/complete`, {
        completedBy: "ann",
        artifacts: [{ ...minutes, body: "The key is ghp_0123456789abcdefghijABCDEFGHIJ012345." }],
        actionItems: [{ title: "Rotate it", priority: "high" }],
        participants: ["bob"]
      })
      assert.strictEqual(held.status, 200)
      assert.deepInclude(held.body, {
        status: "completed",
        completedBy: "ann",
        participants: ["bob"],
        artifacts: [{ ...minutes, body: "The key is [REDACTED]." }],
        actionItems: [{ title: "Rotate it", priority: "high" }]
      })
      assert.isString(held.body.completedAt)
      assert.deepStrictEqual((yield* get(`/api/ceremonies/${called.id}`)).body, held.body)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("is not complete without its artifacts, and is completed once", () =>
    Effect.gen(function* () {
      const taskId = yield* create()
      const called = yield* post("/api/ceremonies", {
        type: "design-review",
        taskId,
        requiredArtifacts: ["minutes", "drawing"]
      })
      const path = `/api/ceremonies/${called.body.id}/complete`
      const none = yield* post(path, { completedBy: "ann" })
      assert.strictEqual(none.status, 400)
      assert.strictEqual(none.body.code, "VALIDATION_ERROR")
      const some = yield* post(path, { completedBy: "ann", artifacts: [minutes] })
      assert.deepStrictEqual(some.body.details.issues, [
        { path: "artifacts", message: "Expected an artifact of each required kind; missing: drawing" }
      ])
      assert.strictEqual((yield* get(`/api/ceremonies/${called.body.id}`)).body.status, "pending")
      const all = { completedBy: "ann", artifacts: [minutes, { ...minutes, kind: "drawing" }] }
      assert.strictEqual((yield* post(path, all)).status, 200)
      const again = yield* post(path, all)
      assert.strictEqual(again.status, 409)
      assert.strictEqual(again.body.code, "CONFLICT")
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("needs at least one artifact even if it names none", () =>
    Effect.gen(function* () {
      const taskId = yield* create()
      const { body: called } = yield* post("/api/ceremonies", { type: "design-review", taskId })
      const empty = yield* post(`/api/ceremonies/${called.id}/complete`, {
        completedBy: "ann",
        artifacts: []
      })
      assert.strictEqual(empty.status, 400)
      assert.strictEqual(empty.body.details.issues[0].path, "artifacts")
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("waits once for each type: a second call says which one to complete", () =>
    Effect.gen(function* () {
      const taskId = yield* create()
      const first = yield* post("/api/ceremonies", { type: "design-review", taskId })
      const second = yield* post("/api/ceremonies", { type: "design-review", taskId })
      assert.strictEqual(second.status, 409)
      assert.deepInclude(second.body.details, { ceremonyId: first.body.id, taskId })
      assert.strictEqual(
        (yield* post("/api/ceremonies", { type: "failure-retrospective", taskId })).status,
        201
      )
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("is listed by task, type and status, newest first", () =>
    Effect.gen(function* () {
      const [one, two] = [yield* create(), yield* create()]
      const first = (yield* post("/api/ceremonies", { type: "design-review", taskId: one })).body
      yield* post(`/api/ceremonies/${first.id}/complete`, { completedBy: "ann", artifacts: [minutes] })
      const second = (yield* post("/api/ceremonies", { type: "failure-retrospective", taskId: one })).body
      const third = (yield* post("/api/ceremonies", { type: "design-review", taskId: two })).body
      const ids = (query: string) =>
        Effect.map(get(`/api/ceremonies${query}`), ({ body }) =>
          body.map(({ id }: { readonly id: string }) => id)
        )
      assert.deepStrictEqual(yield* ids(""), [third.id, second.id, first.id])
      assert.deepStrictEqual(yield* ids(`?taskId=${one}`), [second.id, first.id])
      assert.deepStrictEqual(yield* ids("?type=design-review&status=completed"), [first.id])
      const page = yield* get("/api/ceremonies?limit=1")
      assert.strictEqual(page.headers.get("x-total-count"), "3")
      assert.strictEqual((yield* get("/api/ceremonies?type=party")).status, 400)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("knows its task, and goes with it", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      assert.strictEqual((yield* get("/api/ceremonies/nope")).status, 404)
      assert.strictEqual((yield* post("/api/ceremonies/nope/complete", { completedBy: "ann" })).status, 404)
      const lost = yield* post("/api/ceremonies", { type: "design-review", taskId: "nope" })
      assert.strictEqual(lost.status, 404)
      const taskId = yield* create()
      const { body: called } = yield* post("/api/ceremonies", { type: "design-review", taskId })
      yield* request("DELETE", `/api/tasks/${taskId}`, { as: "admin" })
      assert.strictEqual((yield* get(`/api/ceremonies/${called.id}`)).status, 404)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("names the field that is wrong", () =>
    Effect.gen(function* () {
      const taskId = yield* create()
      const draft = yield* post("/api/ceremonies", { type: "party", taskId, participants: "ann" })
      assert.deepStrictEqual(
        draft.body.details.issues.map(({ path }: { readonly path: string }) => path).sort(),
        ["participants", "type"]
      )
      const { body: called } = yield* post("/api/ceremonies", { type: "design-review", taskId })
      const completion = yield* post(`/api/ceremonies/${called.id}/complete`, {
        artifacts: "minutes",
        actionItems: [{ title: "", priority: "soon" }]
      })
      assert.strictEqual(completion.status, 400)
      assert.includeMembers(
        completion.body.details.issues.map(({ path }: { readonly path: string }) => path),
        ["completedBy", "artifacts"]
      )
    }).pipe(Effect.provide(shared))
  )
})
