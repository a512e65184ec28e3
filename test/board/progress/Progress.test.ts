import { assert, describe, it } from "@effect/vitest"
import { Array as Arr, Effect } from "effect"
import { ask, createTask, getTask } from "../../support/Board.ts"
import { sharedWorld } from "../../support/SharedWorld.ts"
import { World } from "../../support/World.ts"

const shared = sharedWorld()

const progress = (id: string) => ask("GET", `/api/tasks/${id}/progress`)
const put = (id: string, content: string) => ask("PUT", `/api/tasks/${id}/progress`, { body: { content } })
const append = (id: string, body: unknown) => ask("POST", `/api/tasks/${id}/progress/append`, { body })

describe("the progress of a task", () => {
  it.scopedLive("is empty until somebody sets it", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const { id } = yield* createTask()
      assert.deepStrictEqual(yield* progress(id), { taskId: id, content: "", entries: [], updatedAt: null })
      for (const [method, path] of [
        ["GET", ""],
        ["PUT", ""],
        ["POST", "/append"]
      ] as const) {
        const body = method === "GET" ? undefined : { content: "x" }
        const unknown = yield* request(method, `/api/tasks/nobody/progress${path}`, { body })
        assert.strictEqual(unknown.status, 404, method)
      }
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("is set as a whole, and keeps its entries", () =>
    Effect.gen(function* () {
      const { id } = yield* createTask()
      yield* append(id, { text: "Begun" })
      const set = yield* put(id, "Half of it")
      assert.deepInclude(set, { taskId: id, content: "Half of it" })
      assert.strictEqual(set.entries.length, 1)
      assert.deepStrictEqual(yield* progress(id), set)
      assert.strictEqual((yield* put(id, "")).content, "")
      const task = yield* getTask(id)
      assert.strictEqual(task.revision, 4)
      assert.strictEqual(task.progress.content, "")
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("grows by a line for each entry, in the order in which they come", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const { id } = yield* createTask()
      yield* put(id, "Plan")
      const first = yield* request("POST", `/api/tasks/${id}/progress/append`, {
        body: { text: "Begun", section: "Work" }
      })
      assert.strictEqual(first.status, 201)
      const second = yield* append(id, { content: "Done" })
      assert.strictEqual(second.content, "Plan\nBegun\nDone")
      assert.deepStrictEqual(
        second.entries.map(({ createdAt: _, ...entry }: Record<string, unknown>) => entry),
        [
          { text: "Begun", section: "Work", createdBy: "codex" },
          { text: "Done", createdBy: "codex" }
        ]
      )
      const written = yield* Effect.forEach(
        Arr.range(1, 20),
        (index) => append(id, { text: `Line ${index}` }),
        {
          concurrency: "unbounded"
        }
      )
      assert.strictEqual(written.length, 20)
      const lines = (yield* progress(id)).content.split("\n")
      assert.sameMembers(
        lines.slice(3),
        Arr.range(1, 20).map((index) => `Line ${index}`)
      )
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("takes texts within its bounds, without their secrets, from those who may write", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const { id } = yield* createTask()
      const at = `/api/tasks/${id}/progress`
      for (const [method, path, body] of [
        ["PUT", at, {}],
        ["PUT", at, { content: 5 }],
        ["PUT", at, { content: "x".repeat(200_001) }],
        ["POST", `${at}/append`, {}],
        ["POST", `${at}/append`, { text: "  " }],
        ["POST", `${at}/append`, { text: "x".repeat(10_001) }]
      ] as const) {
        assert.strictEqual((yield* request(method, path, { body })).status, 400)
      }
      const reader = yield* request("PUT", at, { as: "read-only", body: { content: "Mine" } })
      assert.strictEqual(reader.status, 403)
      const secret = `ghp_${"a1B2".repeat(9)}`
      yield* put(id, `Used ${secret}`)
      yield* append(id, { text: `Again ${secret}` })
      assert.notInclude(JSON.stringify(yield* getTask(id)), secret)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("has an end: what does not fit is refused and nothing is lost", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const { id } = yield* createTask()
      yield* put(id, "x".repeat(199_995))
      const refused = yield* request("POST", `/api/tasks/${id}/progress/append`, {
        body: { text: "too long" }
      })
      assert.strictEqual(refused.status, 409)
      assert.deepInclude(refused.body.details, { taskId: id, field: "progress.content", limit: 200_000 })
      assert.deepStrictEqual((yield* progress(id)).entries, [])
    }).pipe(Effect.provide(shared))
  )
})
