import { assert, describe, it } from "@effect/vitest"
import { Array as Arr, Effect } from "effect"
import { ask, column, createTask, getTask } from "../../support/Board.ts"
import { sharedWorld } from "../../support/SharedWorld.ts"
import { World, world } from "../../support/World.ts"

const shared = sharedWorld()

const bulkUpdate = (taskIds: ReadonlyArray<string>, updates: object) =>
  ask("POST", "/api/tasks/bulk-update", { body: { taskIds, updates } })

const bulkArchive = (taskIds: ReadonlyArray<string>) =>
  ask("POST", "/api/tasks/bulk-archive-by-ids", { body: { taskIds } })

const codes = (failed: ReadonlyArray<{ id: string; code: string }>) =>
  failed.map(({ code, id }) => [id, code])

describe("a bulk update", () => {
  it.scopedLive("changes every task that it can and says why it can't change the others", () =>
    Effect.gen(function* () {
      const first = yield* createTask({ labels: ["a"] })
      const second = yield* createTask()
      const archived = yield* createTask()
      yield* ask("POST", `/api/tasks/${archived.id}/archive`)
      const ids = [second.id, "nobody", first.id, archived.id, second.id]
      const result = yield* bulkUpdate(ids, { status: "done", labels: ["b"] })
      assert.isFalse(result.success)
      assert.deepStrictEqual(result.updated, [second.id, first.id])
      assert.deepStrictEqual(codes(result.failed), [
        ["nobody", "NOT_FOUND"],
        [archived.id, "CONFLICT"]
      ])
      for (const { message } of result.failed) assert.isNotEmpty(message)
      for (const task of result.tasks) {
        assert.deepInclude(task, { status: "done", labels: ["b"], revision: 2 })
        assert.deepStrictEqual(yield* getTask(task.id), task)
      }
      assert.deepStrictEqual(yield* column("done"), [second.id, first.id])
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("that claims one identity for two tasks gives it to the first", () =>
    Effect.gen(function* () {
      const [first, second] = yield* Effect.all([createTask(), createTask()])
      const item = { provider: "github", repository: "acme/board", number: 7 }
      const result = yield* bulkUpdate([first.id, second.id], { externalWorkItems: [item] })
      assert.deepStrictEqual(result.updated, [first.id])
      assert.deepStrictEqual(codes(result.failed), [[second.id, "CONFLICT"]])
      assert.notProperty(yield* ask("GET", "/api/tasks"), "meta")
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("that succeeds says so, and one that names no field changes nothing", () =>
    Effect.gen(function* () {
      const task = yield* createTask()
      assert.deepInclude(yield* bulkUpdate([task.id], { priority: "high" }), { success: true, failed: [] })
      const empty = yield* bulkUpdate([task.id], {})
      assert.deepInclude(empty, { success: true, updated: [task.id] })
      assert.strictEqual((yield* getTask(task.id)).revision, 2)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("changes nothing at all when its body is wrong", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const task = yield* createTask()
      for (const [body, path] of [
        [{ taskIds: [], updates: {} }, "taskIds"],
        [{ taskIds: Arr.makeBy(501, String), updates: {} }, "taskIds"],
        [{ taskIds: task.id, updates: {} }, "taskIds"],
        [{ taskIds: [task.id] }, "updates"],
        [{ taskIds: [task.id], updates: { status: "someday" } }, "updates.status"],
        [{ updates: { title: "Mine" } }, "taskIds"]
      ] as const) {
        const refused = yield* request("POST", "/api/tasks/bulk-update", { body })
        assert.strictEqual(refused.status, 400)
        assert.strictEqual(refused.body.details.issues[0].path, path)
      }
      assert.deepStrictEqual(yield* getTask(task.id), task)
    }).pipe(Effect.provide(shared))
  )
})

describe("a bulk archive", () => {
  it.scopedLive("puts away all but what is in progress, unknown or away already", () =>
    Effect.gen(function* () {
      const [first, second] = yield* Effect.all([createTask(), createTask()])
      const running = yield* createTask({ status: "in-progress" })
      const result = yield* bulkArchive([first.id, running.id, "nobody"])
      assert.deepStrictEqual(result.updated, [first.id])
      assert.deepStrictEqual(codes(result.failed), [
        [running.id, "CONFLICT"],
        ["nobody", "NOT_FOUND"]
      ])
      assert.isTrue(result.tasks[0].archived)
      assert.deepStrictEqual(yield* column("todo"), [second.id])
      const again = yield* bulkArchive([first.id])
      assert.deepStrictEqual([again.success, codes(again.failed)], [false, [[first.id, "CONFLICT"]]])
    }).pipe(Effect.provide(world()))
  )
})

describe("a reorder", () => {
  it.scopedLive("puts the named tasks in front of their own columns and raises no revision", () =>
    Effect.gen(function* () {
      const todo = yield* Effect.forEach(Arr.range(1, 4), () => createTask())
      const done = yield* Effect.forEach(Arr.range(1, 3), () => createTask({ status: "done" }))
      const [a, b, c, d] = todo.map(({ id }) => id)
      const [x, y, z] = done.map(({ id }) => id)
      const taskIds = [d, z, b, d]
      const { orderedTaskIds, success } = yield* ask("POST", "/api/tasks/reorder", { body: { taskIds } })
      assert.isTrue(success)
      assert.deepStrictEqual(yield* column("todo"), [d, b, a, c])
      assert.deepStrictEqual(yield* column("done"), [z, x, y])
      assert.sameMembers(orderedTaskIds, [d, b, a, c, z, x, y])
      for (const task of [...todo, ...done]) assert.strictEqual((yield* getTask(task.id)).revision, 1)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("that names an unknown task changes nothing", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const [a, b] = yield* Effect.all([createTask(), createTask()])
      const refused = yield* request("POST", "/api/tasks/reorder", { body: { taskIds: [b.id, "nobody"] } })
      assert.strictEqual(refused.status, 404)
      assert.deepStrictEqual(refused.body.details, { taskId: "nobody" })
      assert.deepStrictEqual(yield* column("todo"), [a.id, b.id])
      const empty = yield* request("POST", "/api/tasks/reorder", { body: { taskIds: [] } })
      assert.strictEqual(empty.status, 400)
    }).pipe(Effect.provide(world()))
  )
})
