import { assert, describe, it } from "@effect/vitest"
import { Effect, SchemaAST } from "effect"
import { World, world } from "../support/World.ts"
import { parametersOf, pathWith, type Route, routes } from "./Contract.ts"

/** A value that fits nothing but free text, and stands nowhere else. */
const odd = "zq7x-9'\"<>é"

const shown = "zq7x"

/** The names that the query of a route may hold. */
const queryOf = ({ querySchema }: Route): ReadonlyArray<string> =>
  querySchema === undefined
    ? []
    : SchemaAST.getPropertySignatures(SchemaAST.encodedAST(querySchema.ast)).map(({ name }) => String(name))

/** A body in which every field that the route knows holds the odd value. */
const bodyOf = ({ payloads }: Route): unknown => {
  const json = payloads.get("application/json")
  return json === undefined
    ? odd
    : Object.fromEntries(
        SchemaAST.getPropertySignatures(SchemaAST.encodedAST(json.ast)).map(({ name }) => [
          String(name),
          [{ [String(name)]: odd }, odd]
        ])
      )
}

const ask = (route: Route, path: string, body?: unknown) =>
  Effect.flatMap(World, ({ request }) =>
    request(route.method, path, { as: "admin", ...(body === undefined ? {} : { body }) })
  )

describe("an id in a path", () => {
  it.scopedLive("may have 128 characters, whatever they need on the wire, wherever it stands", () =>
    Effect.gen(function* () {
      for (const route of routes.filter((route) => parametersOf(route).length > 0)) {
        for (const letter of ["a", "é", "漢"]) {
          const { body } = yield* ask(
            route,
            pathWith(route, () => letter.repeat(128)),
            route.method === "GET" ? undefined : {}
          )
          assert.notInclude(JSON.stringify(body), "There is no such route", `${route.name} ${letter}`)
        }
      }
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("of a task may have as many as a task's id, on every route of the task", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const id = "t".repeat(128)
      assert.strictEqual((yield* request("POST", "/api/tasks", { body: { id, title: "Long" } })).status, 201)
      for (const path of [
        "",
        "/context",
        "/progress",
        "/blocking-status",
        "/dependencies",
        "/observations"
      ]) {
        assert.strictEqual((yield* request("GET", `/api/tasks/${id}${path}?`)).status, 200, path)
      }
      const patched = yield* request("PATCH", `/api/tasks/${id}`, { body: { title: "Longer" } })
      assert.strictEqual(patched.body.title, "Longer")
    }).pipe(Effect.provide(world()))
  )
})

describe("a refusal", () => {
  it.scopedLive("names what is wrong with a query, and never repeats it", () =>
    Effect.gen(function* () {
      for (const route of routes) {
        for (const name of queryOf(route)) {
          const path = `${pathWith(route, () => "nobody")}?${name}=${encodeURIComponent(odd)}`
          const { body, status } = yield* ask(route, path)
          if (status !== 400) continue
          assert.notInclude(JSON.stringify(body), shown, `${route.name} ${name}`)
          assert.isAbove(body.details.issues.length, 0, `${route.name} ${name}`)
        }
      }
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("names what is wrong with a body or a path, and never repeats it", () =>
    Effect.gen(function* () {
      for (const route of routes.filter(({ method }) => method !== "GET")) {
        for (const parameter of ["nobody", odd, odd.repeat(40)]) {
          const { body, status } = yield* ask(
            route,
            pathWith(route, () => parameter),
            bodyOf(route)
          )
          if (status === 400) assert.notInclude(JSON.stringify(body), shown, route.name)
        }
      }
    }).pipe(Effect.provide(world()))
  )
})
