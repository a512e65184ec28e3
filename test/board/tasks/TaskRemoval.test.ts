import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { World, world } from "../../support/World.ts"

describe("a task that is deleted for good", () => {
  it.scopedLive("takes its observations and its checkpoint with it", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const create = (id: string) => request("POST", "/api/tasks", { body: { id, title: id } })
      for (const id of ["doomed", "spared"]) {
        yield* create(id)
        yield* request("POST", `/api/tasks/${id}/observations`, { body: { content: `About ${id}` } })
        yield* request("POST", `/api/tasks/${id}/checkpoint`, { body: { state: id } })
      }
      yield* request("DELETE", "/api/tasks/doomed", { as: "admin" })
      const { body: left } = yield* request("GET", "/api/observations")
      assert.deepStrictEqual(
        left.map(({ taskId }: { readonly taskId: string }) => taskId),
        ["spared"]
      )
      yield* create("doomed")
      const inherited = yield* request("GET", "/api/tasks/doomed/context")
      assert.deepStrictEqual(inherited.body.observations, [])
      assert.notProperty(inherited.body, "checkpoint")
      assert.strictEqual(
        (yield* request("GET", "/api/tasks/spared/checkpoint")).body.checkpoint.state,
        "spared"
      )
    }).pipe(Effect.provide(world()))
  )
})
