import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { CheckpointNotFound } from "../../../src/board/checkpoints/Errors.ts"
import { TaskNotFound } from "../../../src/board/tasks/Errors.ts"
import { sharedWorld } from "../../support/SharedWorld.ts"
import { steppedClock } from "../../support/SteppedClock.ts"
import { type Answer, temporaryDirectory, World, world, worldIn } from "../../support/World.ts"

const shared = sharedWorld()

const newTask = Effect.gen(function* () {
  const { request } = yield* World
  return (yield* request("POST", "/api/tasks", { body: { title: "Ship it" } })).body.id as string
})

const save = (taskId: string, state: unknown) =>
  Effect.flatMap(World, ({ request }) =>
    request("POST", `/api/tasks/${taskId}/checkpoint`, { body: { state } })
  )

const resume = (taskId: string) =>
  Effect.flatMap(World, ({ request }) => request("GET", `/api/tasks/${taskId}/checkpoint`))

const assertNoCheckpoint = ({ body, status }: Answer, taskId: string) => {
  assert.strictEqual(status, 404)
  assert.deepStrictEqual(body, {
    error: `Task ${taskId} has no checkpoint, or it has expired`,
    code: "NOT_FOUND",
    details: { taskId, resource: "checkpoint" }
  })
}

describe("a checkpoint", () => {
  it.scoped("is saved for 24 hours and counts how often it is read", () =>
    Effect.gen(function* () {
      const taskId = yield* newTask
      const saved = yield* save(taskId, { step: 3 })
      assert.strictEqual(saved.status, 201)
      const checkpoint = {
        taskId,
        state: { step: 3 },
        createdAt: "1970-01-01T00:00:00.000Z",
        expiresAt: "1970-01-02T00:00:00.000Z"
      }
      assert.deepStrictEqual(saved.body, { success: true, checkpoint: { ...checkpoint, resumeCount: 0 } })
      const first = yield* resume(taskId)
      assert.strictEqual(first.status, 200)
      assert.strictEqual(first.headers.get("cache-control"), "no-store")
      assert.deepStrictEqual(first.body, { success: true, checkpoint: { ...checkpoint, resumeCount: 1 } })
      const { request } = yield* World
      assert.strictEqual((yield* request("HEAD", `/api/tasks/${taskId}/checkpoint`)).status, 200)
      assert.strictEqual((yield* request("HEAD", "/api/tasks/nobody/checkpoint")).status, 404)
      assert.strictEqual((yield* resume(taskId)).body.checkpoint.resumeCount, 2)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is gone when 24 hours have passed since its last save", () => {
    const { layer, step } = steppedClock()
    return Effect.gen(function* () {
      const { request } = yield* World
      const taskId = yield* newTask
      yield* save(taskId, "early")
      yield* step("23 hours")
      yield* resume(taskId)
      const renewed = yield* save(taskId, "late")
      assert.deepInclude(renewed.body.checkpoint, {
        state: "late",
        expiresAt: "1970-01-02T23:00:00.000Z",
        resumeCount: 0
      })
      yield* step("23 hours")
      assert.deepInclude((yield* resume(taskId)).body.checkpoint, { state: "late", resumeCount: 1 })
      yield* step("1 hour")
      assertNoCheckpoint(yield* resume(taskId), taskId)
      assertNoCheckpoint(yield* request("DELETE", `/api/tasks/${taskId}/checkpoint`), taskId)
      assert.strictEqual((yield* save(taskId, "again")).body.checkpoint.resumeCount, 0)
    }).pipe(Effect.provide(Layer.provide(world(), layer)))
  })

  it.scopedLive("holds any JSON value", () =>
    Effect.gen(function* () {
      const taskId = yield* newTask
      for (const state of [null, false, 0, "", [], {}, [1, [null]], { a: { b: ["c"] } }, -1.5e300]) {
        yield* save(taskId, state)
        assert.deepStrictEqual((yield* resume(taskId)).body.checkpoint.state, state)
      }
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("needs a state of at most 1,000,000 characters", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const taskId = yield* newTask
      const none = yield* request("POST", `/api/tasks/${taskId}/checkpoint`, { body: {} })
      const large = yield* save(taskId, "x".repeat(999_999))
      for (const { body, status } of [none, large]) {
        assert.strictEqual(status, 400)
        assert.strictEqual(body.code, "VALIDATION_ERROR")
        assert.strictEqual(body.details.issues.length, 1)
        assert.strictEqual(body.details.issues[0].path, "state")
      }
      assert.strictEqual((yield* save(taskId, "x".repeat(999_998))).status, 201)
      const beyondTheDoor = yield* save(taskId, "x".repeat(1_100_000))
      assert.strictEqual(beyondTheDoor.status, 413)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("keeps no secrets", () =>
    Effect.gen(function* () {
      const taskId = yield* newTask
      const token = `ghp_${"a1B2c3D4e5F6".repeat(3)}`
      const saved = yield* save(taskId, {
        apiKey: "sk-live-abc",
        steps: [{ note: `push with ${token}`, password: "hunter2" }],
        done: 2
      })
      assert.strictEqual(saved.status, 201)
      const state = {
        apiKey: "[REDACTED]",
        steps: [{ note: "push with [REDACTED]", password: "[REDACTED]" }],
        done: 2
      }
      assert.deepStrictEqual(saved.body.checkpoint.state, state)
      assert.deepStrictEqual((yield* resume(taskId)).body.checkpoint.state, state)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("leaves the revision of its task alone", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const taskId = yield* newTask
      yield* save(taskId, 1)
      yield* resume(taskId)
      const task = yield* request("GET", `/api/tasks/${taskId}`)
      assert.strictEqual(task.headers.get("etag"), `"task:${taskId}:1"`)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("is deleted once", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const taskId = yield* newTask
      yield* save(taskId, 1)
      const removed = yield* request("DELETE", `/api/tasks/${taskId}/checkpoint`)
      assert.strictEqual(removed.status, 204)
      assert.strictEqual(removed.body, "")
      assertNoCheckpoint(yield* resume(taskId), taskId)
      assertNoCheckpoint(yield* request("DELETE", `/api/tasks/${taskId}/checkpoint`), taskId)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("needs a task that exists", () =>
    Effect.gen(function* () {
      const { client } = yield* World
      const { checkpoints } = yield* client()
      const path = { id: "nowhere" }
      const nowhere = new TaskNotFound({ taskId: "nowhere" })
      assert.deepStrictEqual(yield* Effect.flip(checkpoints.save({ path, payload: { state: 1 } })), nowhere)
      assert.deepStrictEqual(yield* Effect.flip(checkpoints.resume({ path })), nowhere)
      assert.deepStrictEqual(yield* Effect.flip(checkpoints.remove({ path })), nowhere)
      const id = yield* newTask
      assert.deepStrictEqual(
        yield* Effect.flip(checkpoints.resume({ path: { id } })),
        new CheckpointNotFound({ taskId: id, resource: "checkpoint" })
      )
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("counts every one of many readers once", () =>
    Effect.gen(function* () {
      const taskId = yield* newTask
      yield* save(taskId, "shared")
      const answers = yield* Effect.all(
        Array.from({ length: 20 }, () => resume(taskId)),
        { concurrency: "unbounded" }
      )
      const counts = answers.map(({ body }) => body.checkpoint.resumeCount)
      assert.deepStrictEqual(
        counts.sort((one, other) => one - other),
        Array.from({ length: 20 }, (_, index) => index + 1)
      )
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("is there after a restart, its count included", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const taskId = yield* Effect.gen(function* () {
        const id = yield* newTask
        yield* save(id, { step: 7 })
        yield* resume(id)
        return id
      }).pipe(Effect.provide(worldIn(directory)))
      const { body } = yield* resume(taskId).pipe(Effect.provide(worldIn(directory)))
      assert.deepInclude(body.checkpoint, { state: { step: 7 }, resumeCount: 2 })
    })
  )

  it.scopedLive("is read by a read-only key, which counts, and written by none", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const as = "read-only"
      const path = `/api/tasks/${yield* newTask}/checkpoint`
      yield* request("POST", path, { body: { state: 1 } })
      assert.strictEqual((yield* request("GET", path, { as })).body.checkpoint.resumeCount, 1)
      assert.strictEqual((yield* request("POST", path, { as, body: { state: 2 } })).status, 403)
      assert.strictEqual((yield* request("DELETE", path, { as })).status, 403)
      assert.strictEqual((yield* request("GET", path, { as: null })).status, 401)
      assert.strictEqual((yield* request("GET", path)).body.checkpoint.resumeCount, 2)
    }).pipe(Effect.provide(shared))
  )
})
