import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { World, world } from "../support/World.ts"

/** Headers that differ from request to request. */
const ofTheMoment = new Set(["date", "x-request-id"])

const lasting = (headers: Headers) => [...headers].filter(([name]) => !ofTheMoment.has(name)).sort()

describe("the lanes for reading tasks", () => {
  it.scopedLive("answer one task byte for byte as the route does", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const { body } = yield* request("POST", "/api/tasks", {
        body: { title: "Ünïcödé 🙂", labels: ["a"], description: "text" }
      })
      // A question mark sends a request past the lane.
      const lane = yield* request("GET", `/api/tasks/${body.id}`)
      const route = yield* request("GET", `/api/tasks/${body.id}?`)
      assert.strictEqual(lane.status, 200)
      assert.deepStrictEqual(lane.body, route.body)
      assert.deepStrictEqual(lasting(lane.headers), lasting(route.headers))
    }).pipe(Effect.provide(world()))
  )

  for (const path of ["/api/tasks", "/api/tasks?limit=2", "/api/tasks?limit=9999"]) {
    it.scopedLive(`answer ${path} byte for byte as the route does`, () =>
      Effect.gen(function* () {
        const { request } = yield* World
        const origin = { externalWorkItems: [{ provider: "github", repository: "o/r", number: 1 }] }
        for (const title of ["A", "B", "C"]) yield* request("POST", "/api/tasks", { body: { title } })
        const past = `${path}${path.includes("?") ? "&" : "?"}`
        const compare = Effect.gen(function* () {
          const lane = yield* request("GET", path)
          const route = yield* request("GET", past)
          assert.strictEqual(lane.status, 200)
          assert.deepStrictEqual(lane.body, route.body)
          assert.deepStrictEqual(lasting(lane.headers), lasting(route.headers))
          return lane
        })
        assert.strictEqual((yield* compare).headers.get("x-total-count"), "3")
        const lines = [1, 2].map((n) => JSON.stringify({ id: `dup-${n}`, title: `Dup ${n}`, ...origin }))
        yield* request("POST", "/api/tasks/import", {
          as: "admin",
          raw: lines.join("\n"),
          headers: { "content-type": "application/x-ndjson" }
        })
        assert.strictEqual((yield* compare).body.meta.taskIdentityDiagnostics.conflictCount, 1)
      }).pipe(Effect.provide(world()))
    )
  }

  it.scopedLive("leave every refusal to the route", () =>
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
