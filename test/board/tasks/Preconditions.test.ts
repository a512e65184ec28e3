import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { ask, createTask, etagOf, getTask, moveBody } from "../../support/Board.ts"
import { sharedWorld } from "../../support/SharedWorld.ts"
import { World } from "../../support/World.ts"

const shared = sharedWorld()

describe("a write with a precondition", () => {
  it.scopedLive("happens when the revision is named in any of the known ways", () =>
    Effect.gen(function* () {
      const task = yield* createTask()
      const at = `/api/tasks/${task.id}`
      let revision = 1
      for (const headersAt of [
        (n: number) => ({ "if-match": `"task:${task.id}:${n}"` }),
        (n: number) => ({ "if-match": `W/"task:${task.id}:${n}"` }),
        (n: number) => ({ "if-match": `task:${task.id}:${n}` }),
        () => ({ "if-match": "*" }),
        (n: number) => ({ "x-resource-revision": String(n) }),
        (n: number) => ({ "if-match": `"task:${task.id}:${n}"`, "x-resource-revision": String(n) })
      ]) {
        const patched = yield* ask("PATCH", at, {
          body: { title: `Revision ${revision + 1}` },
          headers: headersAt(revision)
        })
        revision += 1
        assert.strictEqual(patched.revision, revision)
      }
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("is refused with the task as it is now when the revision is another one", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const task = yield* createTask()
      const current = yield* ask("PATCH", `/api/tasks/${task.id}`, { body: { title: "Newer" } })
      const headersThatFail: ReadonlyArray<Record<string, string>> = [
        { "if-match": `"task:${task.id}:1"` },
        { "if-match": `"task:${task.id}:3"` },
        { "x-resource-revision": "1" },
        { "if-match": etagOf(current), "x-resource-revision": "1" },
        { "if-match": `"task:${task.id}:1"`, "x-resource-revision": "2" },
        { "if-match": `"task:another:2"` },
        { "if-match": `"template:${task.id}:2"` }
      ]
      for (const headers of headersThatFail) {
        const refused = yield* request("PATCH", `/api/tasks/${task.id}`, { body: { title: "Mine" }, headers })
        assert.strictEqual(refused.status, 409, JSON.stringify(headers))
        assert.hasAllKeys(refused.body, ["code", "message", "details"])
        assert.strictEqual(refused.body.code, "CONFLICT")
        assert.hasAllKeys(refused.body.details, [
          "resourceType",
          "resourceId",
          "expectedRevision",
          "currentRevision",
          "current"
        ])
        assert.deepInclude(refused.body.details, {
          resourceType: "task",
          resourceId: task.id,
          currentRevision: 2
        })
        assert.deepStrictEqual(refused.body.details.current, current)
      }
      assert.deepStrictEqual(yield* getTask(task.id), current)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("is refused as a mistake when nobody can read the precondition", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const task = yield* createTask()
      for (const [name, value] of [
        ["if-match", "garbage"],
        ["if-match", `"task:${task.id}"`],
        ["if-match", `"task:${task.id}:1", "task:${task.id}:2"`],
        ["x-resource-revision", "abc"],
        ["x-resource-revision", "1.0"],
        ["x-resource-revision", "-1"]
      ] as const) {
        const refused = yield* request("PATCH", `/api/tasks/${task.id}`, {
          body: { title: "Mine" },
          headers: { [name]: value }
        })
        assert.strictEqual(refused.status, 400, value)
        assert.deepInclude(refused.body, { error: "Validation failed", code: "VALIDATION_ERROR" })
        assert.strictEqual(refused.body.details.issues[0].path, name)
        assert.notInclude(JSON.stringify(refused.body), "garbage", "what was sent is not repeated")
      }
      assert.strictEqual((yield* getTask(task.id)).revision, 1)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("is refused on every route that writes a task", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const other = yield* createTask()
      const { id } = yield* createTask()
      const at = `/api/tasks/${id}`
      yield* ask("POST", `${at}/dependencies`, { body: { dependsOn: other.id } })
      yield* ask("POST", `${at}/time/entry`, { body: { durationMs: 1 } })
      const { comments, timeTracking } = yield* ask("POST", `${at}/comments`, { body: { text: "A comment" } })
      const task = yield* getTask(id)
      const writes: ReadonlyArray<readonly [string, string, unknown?]> = [
        ["PATCH", at, { title: "Mine" }],
        ["DELETE", at],
        ["POST", `${at}/move`, moveBody(task, "done", 0)],
        ["POST", `${at}/archive`],
        ["POST", `${at}/demote`],
        ["POST", `${at}/comments`, { text: "Mine" }],
        ["PATCH", `${at}/comments/${comments[0].id}`, { text: "Mine" }],
        ["DELETE", `${at}/comments/${comments[0].id}`],
        ["POST", `${at}/dependencies`, { dependsOn: other.id }],
        ["DELETE", `${at}/dependencies/${other.id}`],
        ["POST", `${at}/time/start`],
        ["POST", `${at}/time/stop`],
        ["POST", `${at}/time/entry`, { durationMs: 1 }],
        ["DELETE", `${at}/time/entry/${timeTracking.entries[0].id}`],
        ["PUT", `${at}/progress`, { content: "Mine" }],
        ["POST", `${at}/progress/append`, { text: "Mine" }]
      ]
      for (const [method, path, body] of writes) {
        const refused = yield* request(method, path, {
          as: "admin",
          body,
          headers: { "if-match": `"task:${id}:1"` }
        })
        assert.strictEqual(refused.status, 409, `${method} ${path}`)
        assert.strictEqual(refused.body.details.currentRevision, task.revision, `${method} ${path}`)
      }
      assert.deepStrictEqual(yield* getTask(id), task)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("is what a move needs in any case", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const task = yield* createTask()
      const refused = yield* request("POST", `/api/tasks/${task.id}/move`, {
        body: moveBody(task, "done", 0)
      })
      assert.strictEqual(refused.status, 400)
      assert.strictEqual(refused.body.code, "VALIDATION_ERROR")
      assert.strictEqual(refused.body.details.issues[0].path, "if-match")
      const moved = yield* request("POST", `/api/tasks/${task.id}/move`, {
        body: moveBody(task, "done", 0),
        headers: { "x-resource-revision": "1" }
      })
      assert.strictEqual(moved.status, 200)
      assert.strictEqual(moved.headers.get("etag"), `"task:${task.id}:2"`)
    }).pipe(Effect.provide(shared))
  )
})
