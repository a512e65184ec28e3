import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { sharedWorld } from "../support/SharedWorld.ts"
import { World } from "../support/World.ts"

const shared = sharedWorld()

const header = "x-unknown-parameters"

describe("a name in a query that its route does not know", () => {
  it.scopedLive("is passed over, and told in a header", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      yield* request("POST", "/api/tasks", { body: { title: "A task", status: "done" } })
      const misspelled = yield* request("GET", "/api/tasks?statis=todo&limit=5&Status=todo")
      assert.strictEqual(misspelled.status, 200)
      assert.strictEqual(misspelled.headers.get(header), "statis, Status")
      const unknown = yield* request("GET", "/api/tasks/nobody?fields=id")
      assert.deepStrictEqual([unknown.status, unknown.headers.get(header)], [404, "fields"])
      const known = yield* request("GET", "/api/tasks?status=todo&limit=5&archived=false")
      assert.isNull(known.headers.get(header))
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("is told in a bounded form that every header can carry", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const many = Array.from({ length: 500 }, (_, index) => `n${index}=1`).join("&")
      const told = (query: string) =>
        Effect.map(request("GET", `/api/tasks?${query}`), ({ headers }) => headers.get(header))
      assert.strictEqual((yield* told(many))?.split(", ").length, 10)
      assert.strictEqual(yield* told("%0d%0aset-cookie:%20a=1"), "%0D%0Aset-cookie%3A%20a")
      assert.strictEqual(yield* told("%ff=1"), "%EF%BF%BD")
      assert.strictEqual(yield* told(`${"🙂".repeat(200)}=1`), encodeURIComponent("🙂".repeat(64)))
    }).pipe(Effect.provide(shared))
  )
})
