import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { ask, column, createTask, getTask } from "../../support/Board.ts"
import { sharedWorld } from "../../support/SharedWorld.ts"
import { World, world } from "../../support/World.ts"

const shared = sharedWorld()

describe("a task that is deleted", () => {
  it.scopedLive("is gone for good, and its column closes up", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const [first, second, third] = yield* Effect.all([createTask(), createTask(), createTask()])
      const deleted = yield* request("DELETE", `/api/tasks/${second.id}`, { as: "admin" })
      assert.strictEqual(deleted.status, 204)
      assert.strictEqual(deleted.body, "")
      for (const method of ["GET", "PATCH", "DELETE"]) {
        const gone = yield* request(method, `/api/tasks/${second.id}`, { as: "admin" })
        assert.strictEqual(gone.status, 404, method)
      }
      assert.deepStrictEqual(yield* column("todo"), [first.id, third.id])
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("leaves the board alone when it was in the archive", () =>
    Effect.gen(function* () {
      const [first, second, third] = yield* Effect.all([createTask(), createTask(), createTask()])
      yield* ask("POST", `/api/tasks/${first.id}/archive`)
      yield* ask("DELETE", `/api/tasks/${first.id}`, { as: "admin" })
      assert.deepStrictEqual(yield* column("todo"), [second.id, third.id])
      assert.deepInclude(yield* ask("GET", "/api/tasks/counts"), { todo: 2, archived: 0 })
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is forgotten by those that depended on it, each with a revision of its own", () =>
    Effect.gen(function* () {
      const [base, first, second, other] = yield* Effect.all([
        createTask(),
        createTask(),
        createTask(),
        createTask()
      ])
      for (const { id } of [first, second]) {
        yield* ask("POST", `/api/tasks/${id}/dependencies`, { body: { dependsOn: base.id } })
      }
      yield* ask("POST", `/api/tasks/${first.id}/dependencies`, { body: { dependsOn: other.id } })
      yield* ask("POST", `/api/tasks/${base.id}/dependencies`, { body: { dependsOn: other.id } })
      yield* ask("POST", `/api/tasks/${second.id}/archive`)
      yield* ask("DELETE", `/api/tasks/${base.id}`, { as: "admin" })
      assert.deepInclude(yield* getTask(first.id), {
        dependencies: [other.id],
        revision: 4,
        updatedBy: "admin"
      })
      assert.deepInclude(yield* getTask(second.id), { dependencies: [], archived: true, revision: 4 })
      assert.strictEqual((yield* getTask(other.id)).revision, 1, "what it depended on does not change")
      const { blocks } = yield* ask("GET", `/api/tasks/${other.id}/dependencies`)
      assert.deepStrictEqual(
        blocks.map(({ id }: { id: string }) => id),
        [first.id]
      )
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("frees its id for another task, whose life begins at revision 1", () =>
    Effect.gen(function* () {
      yield* createTask({ id: "mine", labels: ["old"], agents: ["codex"] })
      yield* ask("POST", "/api/tasks/mine/comments", { body: { text: "Old" } })
      yield* ask("DELETE", "/api/tasks/mine", { as: "admin" })
      const next = yield* createTask({ id: "mine" })
      assert.deepInclude(next, { revision: 1, labels: [], comments: [], position: 0 })
      assert.deepStrictEqual((yield* ask("GET", "/api/tasks?agent=codex")).tasks, [])
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is deleted by an administrator alone: an agent archives instead", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const task = yield* createTask()
      for (const as of ["agent", "read-only"] as const) {
        const refused = yield* request("DELETE", `/api/tasks/${task.id}`, { as })
        assert.strictEqual(refused.status, 403)
        assert.deepStrictEqual(refused.body.details, { requiredPermission: "admin:manage", role: as })
      }
      assert.deepStrictEqual(yield* getTask(task.id), task)
    }).pipe(Effect.provide(shared))
  )
})
