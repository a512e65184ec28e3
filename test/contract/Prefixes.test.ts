import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { sharedWorld } from "../support/SharedWorld.ts"
import { type Answer, World, world } from "../support/World.ts"
import { pathWith, routes } from "./Contract.ts"

const shared = sharedWorld()

/** The paths under which a route answers: two, and three for health. */
const paths = (path: string): ReadonlyArray<string> => {
  const tail = path.replace(/^\/api/, "")
  return [`/api/v1${tail}`, `/api${tail}`, ...(path.startsWith("/api") ? [] : [path])]
}

/** What of an answer must not depend on the prefix: all of it but the time and the id of the request. */
const essence = ({ body, headers, status }: Answer) => ({
  status,
  body: JSON.parse(JSON.stringify(body).replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "a moment")),
  headers: Object.fromEntries(
    ["content-type", "etag", "x-resource-revision", "x-total-count"].map((name) => [name, headers.get(name)])
  )
})

const reads = routes.filter(({ method }) => method === "GET")

describe("a read", () => {
  it.scopedLive("answers alike under all of its prefixes", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const seen = new Set<number>()
      yield* request("POST", "/api/tasks", { body: { id: "known", title: "Both prefixes" } })
      yield* request("POST", "/api/chat/squad", { body: { agent: "codex", message: "@ann both prefixes" } })
      for (const route of reads) {
        // A checkpoint counts how often it is read: its second reading differs from the first, as it must.
        const parameter = () => (route.name === "checkpoints.resume" ? "unknown" : "known")
        const [first, ...others] = paths(pathWith(route, parameter))
        const canonical = essence(yield* request("GET", first ?? "", { as: "admin" }))
        seen.add(canonical.status)
        for (const path of others) {
          assert.deepStrictEqual(essence(yield* request("GET", path, { as: "admin" })), canonical, path)
        }
      }
      assert.sameMembers([...seen], [200, 400, 404, 409])
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("of one resource has its revision under both prefixes", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      yield* request("POST", "/api/v1/tasks", { body: { id: "known", title: "Both prefixes" } })
      for (const path of paths("/api/tasks/known")) {
        const { headers } = yield* request("GET", path)
        assert.strictEqual(headers.get("etag"), '"task:known:1"', path)
        assert.strictEqual(headers.get("x-resource-revision"), "1", path)
      }
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("has no other prefix", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      for (const path of ["/tasks", "/v1/tasks", "/api/v2/tasks", "/api/v1/v1/tasks", "/api/api/tasks"]) {
        const answer = yield* request("GET", path, { as: "admin" })
        assert.deepInclude(answer.body, { code: "NOT_FOUND" }, path)
        assert.strictEqual(answer.status, 404, path)
      }
      assert.strictEqual((yield* request("GET", "/v1/health")).status, 404)
    }).pipe(Effect.provide(shared))
  )
})
