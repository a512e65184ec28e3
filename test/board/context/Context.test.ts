import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { observationLimit } from "../../../src/board/context/TaskContext.ts"
import { TaskNotFound } from "../../../src/board/tasks/Errors.ts"
import { sharedWorld } from "../../support/SharedWorld.ts"
import { steppedClock } from "../../support/SteppedClock.ts"
import { World, world } from "../../support/World.ts"

const shared = sharedWorld()

const newTask = (title: string) =>
  Effect.gen(function* () {
    const { request } = yield* World
    return (yield* request("POST", "/api/tasks", { body: { title } })).body
  })

describe("the context of a task", () => {
  it.scopedLive("is the task and nothing else when nothing else is known", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const task = yield* newTask("Ship it")
      const { body, headers, status } = yield* request("GET", `/api/v1/tasks/${task.id}/context`)
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(body, { task, dependencies: { depends_on: [], blocks: [] }, observations: [] })
      assert.strictEqual(headers.get("etag"), `"task:${task.id}:1"`)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("holds its dependencies, observations, checkpoint and progress", () =>
    Effect.gen(function* () {
      const { client, request } = yield* World
      const { context } = yield* client("read-only")
      const { id } = yield* newTask("Ship it")
      const before = yield* newTask("Build it")
      const after = yield* newTask("Announce it")
      yield* request("POST", `/api/tasks/${id}/dependencies`, { body: { dependsOn: before.id } })
      yield* request("POST", `/api/tasks/${after.id}/dependencies`, { body: { dependsOn: id } })
      for (const content of ["First", "Second"]) {
        yield* request("POST", `/api/tasks/${id}/observations`, { body: { content } })
      }
      yield* request("POST", `/api/tasks/${before.id}/observations`, { body: { content: "Elsewhere" } })
      yield* request("POST", `/api/tasks/${id}/checkpoint`, { body: { state: { step: 3 } } })
      yield* request("PUT", `/api/tasks/${id}/progress`, { body: { content: "Half way" } })

      const found = yield* context.get({ path: { id } })
      assert.deepStrictEqual(found.task, (yield* request("GET", `/api/tasks/${id}`)).body)
      assert.deepStrictEqual(found.dependencies, {
        depends_on: [{ id: before.id, title: "Build it", status: "todo" }],
        blocks: [{ id: after.id, title: "Announce it", status: "todo" }]
      })
      assert.deepStrictEqual(
        found.observations.map(({ content }) => content),
        ["Second", "First"]
      )
      assert.deepInclude(found.checkpoint, { taskId: id, state: { step: 3 }, resumeCount: 0 })
      assert.strictEqual(found.progress?.content, "Half way")
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("shows the checkpoint without counting that", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const { id } = yield* newTask("Ship it")
      yield* request("POST", `/api/tasks/${id}/checkpoint`, { body: { state: null } })
      yield* request("GET", `/api/tasks/${id}/context`)
      const { body } = yield* request("GET", `/api/tasks/${id}/context`)
      assert.deepInclude(body.checkpoint, { state: null, resumeCount: 0 })
      const resumed = yield* request("GET", `/api/tasks/${id}/checkpoint`)
      assert.strictEqual(resumed.body.checkpoint.resumeCount, 1)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("holds no checkpoint that has expired", () => {
    const { layer, step } = steppedClock()
    return Effect.gen(function* () {
      const { request } = yield* World
      const { id } = yield* newTask("Ship it")
      yield* request("POST", `/api/tasks/${id}/checkpoint`, { body: { state: 1 } })
      yield* step("24 hours")
      const { body } = yield* request("GET", `/api/tasks/${id}/context`)
      assert.notProperty(body, "checkpoint")
    }).pipe(Effect.provide(Layer.provide(world(), layer)))
  })

  it.scopedLive("holds the newest of many observations", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const { id } = yield* newTask("Ship it")
      yield* request("POST", `/api/tasks/${id}/observations`, { body: { content: "Oldest" } })
      yield* Effect.forEach(
        Array.from({ length: observationLimit }, (_, index) => index),
        (index) => request("POST", `/api/tasks/${id}/observations`, { body: { content: `Number ${index}` } }),
        { concurrency: 20, discard: true }
      )
      const { body } = yield* request("GET", `/api/tasks/${id}/context`)
      assert.strictEqual(body.observations.length, observationLimit)
      assert.notInclude(
        body.observations.map(({ content }: { readonly content: string }) => content),
        "Oldest"
      )
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("needs a task that exists and a key that may read", () =>
    Effect.gen(function* () {
      const { client, request } = yield* World
      const { context } = yield* client()
      assert.deepStrictEqual(
        yield* Effect.flip(context.get({ path: { id: "nowhere" } })),
        new TaskNotFound({ taskId: "nowhere" })
      )
      const { id } = yield* newTask("Ship it")
      assert.strictEqual((yield* request("GET", `/api/tasks/${id}/context`, { as: null })).status, 401)
    }).pipe(Effect.provide(shared))
  )
})
