import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { RevisionConflict } from "../../../src/kernel/Revision.ts"
import { World, world } from "../../support/World.ts"

describe("a task", () => {
  it.scopedLive("is created with its defaults and read back with its revision in the headers", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const created = yield* request("POST", "/api/tasks", { body: { title: "  Write the docs  " } })
      assert.strictEqual(created.status, 201)
      assert.deepInclude(created.body, {
        title: "Write the docs",
        status: "todo",
        priority: "medium",
        type: "code",
        position: 0,
        revision: 1,
        createdBy: "codex"
      })
      assert.strictEqual(created.headers.get("etag"), `"task:${created.body.id}:1"`)
      const read = yield* request("GET", `/api/v1/tasks/${created.body.id}`)
      assert.deepStrictEqual(read.body, created.body)
      assert.strictEqual(read.headers.get("x-resource-revision"), "1")
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is not changed by a write that was based on an older revision", () =>
    Effect.gen(function* () {
      const { client } = yield* World
      const { tasks } = yield* client()
      const { id } = yield* tasks.create({ payload: { title: "First" } })
      yield* tasks.patch({ path: { id }, headers: {}, payload: { title: "Second" } })
      const error = yield* tasks
        .patch({ path: { id }, headers: { "if-match": `"task:${id}:1"` }, payload: { title: "Third" } })
        .pipe(Effect.flip)
      assert.instanceOf(error, RevisionConflict)
      assert.deepInclude(error, { resourceId: id, expectedRevision: 1, currentRevision: 2 })
      assert.strictEqual((yield* tasks.get({ path: { id } })).title, "Second")
    }).pipe(Effect.provide(world()))
  )
})
