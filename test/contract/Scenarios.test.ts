import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { World, world } from "../support/World.ts"
import { pathWith, problemOf, routes } from "./Contract.ts"
import { answerBreach, isDocumented, requestBreach } from "./Document.ts"
import { scenarios } from "./Scenarios.ts"

describe("the scenarios", () => {
  it("leave no route out", () => {
    const missing = routes.map(({ name }) => name).filter((name) => scenarios[name] === undefined)
    assert.deepStrictEqual(missing, [], "these routes have no scenario in Scenarios.ts")
  })

  it("are about routes that there are", () => {
    const names = new Set(routes.map(({ name }) => name))
    assert.deepStrictEqual(
      Object.keys(scenarios).filter((name) => !names.has(name)),
      []
    )
  })
})

layer(world(), { excludeTestServices: true })("a living request", (it) => {
  for (const route of routes) {
    it.effect(`to ${route.name} succeeds, and its answer is what the contract and the docs declare`, () =>
      Effect.gen(function* () {
        const { request } = yield* World
        const scenario = scenarios[route.name]
        if (scenario === undefined) return assert.fail(`${route.name} has no scenario`)
        const { links: _, path = {}, query = "", ...sent } = yield* scenario(request)
        const filled = pathWith(route, (name) => path[name] ?? assert.fail(`the path needs ${name}`))
        const at = `${filled.replace(/^(?:\/api)?\//, "/api/v1/")}${query}`
        const { body, headers, status } = yield* request(route.method, at, { as: "admin", ...sent })
        const [success] = route.successes.keys()
        assert.strictEqual(status, success, JSON.stringify(body))
        const mediaType = headers.get("content-type")?.split(";")[0] ?? "application/json"
        if (mediaType !== "application/json") return assert.isTrue(isDocumented(route, status, mediaType))
        assert.isUndefined(problemOf(route, { status, body }))
        assert.isUndefined(answerBreach(route, status, body))
        if (sent.body !== undefined) assert.isUndefined(requestBreach(route, sent.body))
      })
    )
  }
})
