import { assert, describe, it } from "@effect/vitest"
import { Array as Arr, Effect, Layer } from "effect"
import { ask, createTask, getTask } from "../../support/Board.ts"
import { seededComment, seedTask } from "../../support/Seed.ts"
import { sharedWorld } from "../../support/SharedWorld.ts"
import { steppedClock } from "../../support/SteppedClock.ts"
import { World, world } from "../../support/World.ts"

const shared = sharedWorld()

const comment = (id: string, text: string) => ask("POST", `/api/tasks/${id}/comments`, { body: { text } })

describe("a comment", () => {
  it.scopedLive("is answered with the task that it belongs to", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const { id } = yield* createTask()
      const added = yield* request("POST", `/api/tasks/${id}/comments`, { body: { text: "  Looks good  " } })
      assert.strictEqual(added.status, 201)
      assert.strictEqual(added.headers.get("etag"), `"task:${id}:2"`)
      const [first] = added.body.comments
      assert.deepStrictEqual(first, {
        id: first.id,
        text: "Looks good",
        author: "codex",
        createdAt: added.body.updatedAt,
        updatedAt: added.body.updatedAt,
        revision: 1,
        createdBy: "codex",
        updatedBy: "codex"
      })
      const { comments } = yield* comment(id, "Second")
      assert.deepStrictEqual(
        comments.map(({ text }: { text: string }) => text),
        ["Looks good", "Second"]
      )
      assert.deepStrictEqual((yield* getTask(id)).comments, comments)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("has a revision of its own, which an edit raises beside the task's", () => {
    const { layer, step } = steppedClock()
    return Effect.gen(function* () {
      const { id } = yield* createTask()
      const { comments } = yield* comment(id, "First")
      yield* comment(id, "Other")
      yield* step("1 minute")
      const edited = yield* ask("PATCH", `/api/tasks/${id}/comments/${comments[0].id}`, {
        as: "admin",
        body: { text: "Better", revision: 1 }
      })
      assert.strictEqual(edited.revision, 4)
      assert.deepStrictEqual(edited.comments[0], {
        ...comments[0],
        text: "Better",
        revision: 2,
        updatedBy: "admin",
        updatedAt: "1970-01-01T00:01:00.000Z"
      })
      assert.deepInclude(edited.comments[1], { text: "Other", revision: 1 })
    }).pipe(Effect.provide(world().pipe(Layer.provide(layer))))
  })

  it.scopedLive("is not overwritten by an edit of an older revision of it", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const { id } = yield* createTask()
      const [first] = (yield* comment(id, "First")).comments
      const path = `/api/tasks/${id}/comments/${first.id}`
      const { comments } = yield* ask("PATCH", path, { body: { text: "Newer" } })
      const refused = yield* request("PATCH", path, { body: { text: "Mine", revision: 1 } })
      assert.strictEqual(refused.status, 409)
      assert.hasAllKeys(refused.body, ["code", "message", "details"])
      assert.deepStrictEqual(refused.body.details, {
        resourceType: "comment",
        resourceId: first.id,
        expectedRevision: 1,
        currentRevision: 2,
        current: comments[0]
      })
      const racers = yield* Effect.forEach(
        Arr.range(1, 20),
        (index) => request("PATCH", path, { body: { text: `Text ${index}`, revision: 2 } }),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(racers.filter(({ status }) => status === 200).length, 1)
      assert.strictEqual((yield* getTask(id)).comments[0].revision, 3)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("is removed, and then it is not there", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const { id } = yield* createTask()
      const [first] = (yield* comment(id, "First")).comments
      yield* comment(id, "Second")
      const path = `/api/tasks/${id}/comments/${first.id}`
      const removed = yield* request("DELETE", path)
      assert.deepStrictEqual([removed.status, removed.body], [204, ""])
      const task = yield* getTask(id)
      assert.strictEqual(task.revision, 4)
      assert.deepStrictEqual(
        task.comments.map(({ text }: { text: string }) => text),
        ["Second"]
      )
      for (const [method, body] of [["DELETE"], ["PATCH", { text: "Mine" }]] as const) {
        const missing = yield* request(method, path, { body })
        assert.strictEqual(missing.status, 404)
        assert.deepStrictEqual(missing.body.details, { taskId: id, commentId: first.id })
      }
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("says something, in at most 20,000 characters and without secrets", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const { id } = yield* createTask()
      for (const body of [{}, { text: "" }, { text: " \n " }, { text: 5 }, { text: "x".repeat(20_001) }]) {
        const refused = yield* request("POST", `/api/tasks/${id}/comments`, { body })
        assert.strictEqual(refused.status, 400)
        assert.strictEqual(refused.body.details.issues[0].path, "text")
      }
      yield* comment(id, "x".repeat(20_000))
      const secret = `ghp_${"a1B2".repeat(9)}`
      const { comments } = yield* comment(id, `The token is ${secret}`)
      assert.notInclude(comments[1].text, secret)
      const path = `/api/tasks/${id}/comments/${comments[0].id}`
      const edited = yield* ask("PATCH", path, { body: { text: `Now it is ${secret}` } })
      assert.notInclude(edited.comments[0].text, secret)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("is written by agents and read by readers", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const { id } = yield* createTask()
      const refused = yield* request("POST", `/api/tasks/${id}/comments`, {
        as: "read-only",
        body: { text: "Mine" }
      })
      assert.strictEqual(refused.status, 403)
      assert.strictEqual(refused.body.details.requiredPermission, "comment:write")
      assert.strictEqual(
        (yield* request("POST", "/api/tasks/nobody/comments", { body: { text: "x" } })).status,
        404
      )
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("finds no room in a task that is full, and that task stays as it was", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const comments = Arr.makeBy(1_000, (index) => ({
        id: `comment_${index}`,
        text: "x",
        ...seededComment
      }))
      yield* seedTask("many", {}, { comments })
      const large = Arr.take(comments, 52).map((one) => ({ ...one, text: "x".repeat(20_000) }))
      yield* seedTask("large", {}, { comments: large })
      for (const [id, field] of [
        ["many", "comments"],
        ["large", "task"]
      ]) {
        const refused = yield* request("POST", `/api/tasks/${id}/comments`, {
          body: { text: "y".repeat(20_000) }
        })
        assert.strictEqual(refused.status, 409, id)
        assert.deepInclude(refused.body, { code: "CONFLICT" })
        assert.deepInclude(refused.body.details, { taskId: id, field })
        assert.strictEqual((yield* getTask(id ?? "")).revision, 1)
      }
    }).pipe(Effect.provide(shared))
  )
})
