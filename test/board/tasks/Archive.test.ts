import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { ask, column, createTask, getTask, moveBody } from "../../support/Board.ts"
import { sharedWorld } from "../../support/SharedWorld.ts"
import { type Answer, World, world } from "../../support/World.ts"

const shared = sharedWorld()

/** A 409 in the general envelope, about a task that is not in the right place for it. */
const assertStateConflict = (answer: Answer, details: object) => {
  assert.strictEqual(answer.status, 409)
  assert.hasAllKeys(answer.body, ["error", "code", "details"])
  assert.strictEqual(answer.body.code, "CONFLICT")
  assert.deepInclude(answer.body.details, details)
}

describe("an archived task", () => {
  it.scopedLive("is off the board and its counts, and still there to be read", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const [first, second] = yield* Effect.all([createTask(), createTask()])
      const answer = yield* request("POST", `/api/tasks/${first.id}/archive`)
      assert.strictEqual(answer.status, 200)
      assert.deepInclude(answer.body, { archived: true, status: "todo", revision: 2 })
      assert.isNotNaN(Date.parse(answer.body.archivedAt))
      assert.strictEqual(answer.headers.get("etag"), `"task:${first.id}:2"`)
      assert.deepStrictEqual(yield* getTask(first.id), answer.body)
      assert.deepStrictEqual(yield* column("todo"), [second.id])
      const archive = yield* ask("GET", "/api/tasks?archived=true")
      assert.deepStrictEqual(archive.tasks, [answer.body])
      const counts = yield* ask("GET", "/api/tasks/counts")
      assert.deepInclude(counts, { todo: 1, archived: 1, total: 1 })
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("has no timer that runs: nobody could stop it there", () =>
    Effect.gen(function* () {
      for (const away of [
        (id: string) => ask("POST", `/api/tasks/${id}/archive`),
        (id: string) => ask("POST", "/api/tasks/bulk-archive-by-ids", { body: { taskIds: [id] } })
      ]) {
        const { id } = yield* createTask()
        yield* ask("POST", `/api/tasks/${id}/time/start`)
        yield* away(id)
        const { archivedAt, timeTracking } = yield* getTask(id)
        assert.isFalse(timeTracking.isRunning)
        assert.notProperty(timeTracking, "activeEntryId")
        assert.strictEqual(timeTracking.entries[0].endTime, archivedAt)
        yield* ask("POST", `/api/tasks/${id}/restore`)
        assert.isFalse((yield* getTask(id)).timeTracking.isRunning)
      }
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("refuses every change but its restoration and its deletion", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const other = yield* createTask()
      const { id } = yield* createTask()
      const at = `/api/tasks/${id}`
      yield* ask("POST", `${at}/comments`, { body: { text: "A comment" } })
      const task = yield* ask("POST", `${at}/archive`)
      const writes: ReadonlyArray<readonly [string, string, string, unknown?]> = [
        ["update", "PATCH", at, { title: "Mine" }],
        ["move", "POST", `${at}/move`, moveBody(task, "done", 0)],
        ["archive", "POST", `${at}/archive`],
        ["demote", "POST", `${at}/demote`],
        ["promote", "POST", `${at}/promote`],
        ["reorder", "POST", "/api/tasks/reorder", { taskIds: [other.id, id] }],
        ["comment", "POST", `${at}/comments`, { text: "Mine" }],
        ["comment", "PATCH", `${at}/comments/${task.comments[0].id}`, { text: "Mine" }],
        ["time", "POST", `${at}/time/start`],
        ["progress", "PUT", `${at}/progress`, { content: "Mine" }],
        ["depend", "POST", `${at}/dependencies`, { dependsOn: other.id }]
      ]
      for (const [operation, method, path, body] of writes) {
        const refused = yield* request(method, path, { body, headers: { "if-match": "*" } })
        assertStateConflict(refused, { taskId: id, operation })
      }
      assert.deepStrictEqual(yield* getTask(id), task)
      const deleted = yield* request("DELETE", at, { as: "admin" })
      assert.strictEqual(deleted.status, 204)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("comes back to the end of the column that it left", () =>
    Effect.gen(function* () {
      const [first, second] = yield* Effect.all([
        createTask({ status: "blocked" }),
        createTask({ status: "blocked" })
      ])
      yield* ask("POST", `/api/tasks/${first.id}/archive`)
      const third = yield* createTask({ status: "blocked" })
      const restored = yield* ask("POST", `/api/tasks/${first.id}/restore`)
      assert.deepInclude(restored, { archived: false, status: "blocked", position: 2, revision: 3 })
      assert.notProperty(restored, "archivedAt")
      assert.deepStrictEqual(yield* column("blocked"), [second.id, third.id, first.id])
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("can't be restored twice, nor a task archived that is in progress", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const task = yield* createTask({ status: "in-progress" })
      const archived = yield* request("POST", `/api/tasks/${task.id}/archive`)
      assertStateConflict(archived, { taskId: task.id, operation: "archive", status: "in-progress" })
      const restored = yield* request("POST", `/api/tasks/${task.id}/restore`)
      assertStateConflict(restored, { taskId: task.id, operation: "restore" })
      assert.deepStrictEqual(yield* getTask(task.id), task)
      for (const operation of ["archive", "restore", "promote", "demote"]) {
        const unknown = yield* request("POST", `/api/tasks/nobody/${operation}`)
        assert.strictEqual(unknown.status, 404, operation)
        const reader = yield* request("POST", `/api/tasks/${task.id}/${operation}`, { as: "read-only" })
        assert.strictEqual(reader.status, 403, operation)
      }
    }).pipe(Effect.provide(shared))
  )
})

describe("the backlog", () => {
  it.scopedLive("takes a task from any column at its end, and gives it back to the end of todo", () =>
    Effect.gen(function* () {
      const waiting = yield* createTask({ status: "backlog" })
      const next = yield* createTask()
      for (const status of ["todo", "in-progress", "blocked", "done", "cancelled"]) {
        const { id } = yield* createTask({ status })
        const demoted = yield* ask("POST", `/api/tasks/${id}/demote`)
        assert.deepInclude(demoted, { status: "backlog", position: 1, revision: 2 })
        assert.deepStrictEqual(yield* column("backlog"), [waiting.id, id])
        const promoted = yield* ask("POST", `/api/tasks/${id}/promote`)
        assert.deepInclude(promoted, { status: "todo", position: 1, revision: 3 })
        assert.deepStrictEqual(yield* column("todo"), [next.id, id])
        assert.deepStrictEqual(
          promoted.statusHistory.map(({ from, to }: Record<string, string>) => [from, to]),
          [
            [status, "backlog"],
            ["backlog", "todo"]
          ]
        )
        yield* ask("POST", `/api/tasks/${id}/archive`)
      }
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("neither takes what it holds nor gives what it does not", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const inside = yield* createTask({ status: "backlog" })
      const outside = yield* createTask()
      const demoted = yield* request("POST", `/api/tasks/${inside.id}/demote`)
      assertStateConflict(demoted, { taskId: inside.id, operation: "demote", status: "backlog" })
      const promoted = yield* request("POST", `/api/tasks/${outside.id}/promote`)
      assertStateConflict(promoted, { taskId: outside.id, operation: "promote", status: "todo" })
      assert.deepStrictEqual(yield* getTask(inside.id), inside)
      assert.deepStrictEqual(yield* getTask(outside.id), outside)
    }).pipe(Effect.provide(shared))
  )
})
