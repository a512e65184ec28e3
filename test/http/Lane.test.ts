import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { World, world } from "../support/World.ts"

/** Headers that differ from request to request. */
const ofTheMoment = new Set(["date", "x-request-id"])

const lasting = (headers: Headers) => [...headers].filter(([name]) => !ofTheMoment.has(name)).sort()

describe("the lane for reading one task", () => {
  it.scopedLive("answers byte for byte what the route answers", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const { body } = yield* request("POST", "/api/tasks", {
        body: { title: "Ünïcödé 🙂", labels: ["a"], description: "text" }
      })
      // A query sends a request past the lane; the route ignores it.
      const lane = yield* request("GET", `/api/tasks/${body.id}`)
      const route = yield* request("GET", `/api/tasks/${body.id}?past=the-lane`)
      assert.strictEqual(lane.status, 200)
      assert.deepStrictEqual(lane.body, route.body)
      assert.deepStrictEqual(lasting(lane.headers), lasting(route.headers))
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("leaves every refusal to the route", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const unknown = yield* request("GET", "/api/tasks/nope")
      assert.strictEqual(unknown.status, 404)
      assert.deepInclude(unknown.body, { code: "NOT_FOUND" })
      const stranger = yield* request("GET", "/api/tasks/nope", {
        as: null,
        headers: { "x-api-key": "wrong" }
      })
      assert.strictEqual(stranger.status, 401)
      assert.deepInclude(stranger.body, { code: "UNAUTHORIZED" })
      assert.strictEqual((yield* request("GET", "/api/tasks/counts")).body.total, 0)
    }).pipe(Effect.provide(world()))
  )
})
