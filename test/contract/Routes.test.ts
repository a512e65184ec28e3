import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Schema, SchemaAST } from "effect"
import { reservedIds, TaskIdInput } from "../../src/board/tasks/Task.ts"
import { Permission } from "../../src/kernel/Permission.ts"
import { World, world } from "../support/World.ts"
import { membersOf, type Route, routes } from "./Contract.ts"

/** One error as a route declares it: its domain side, and what of it stands on the wire. */
interface DeclaredError {
  readonly status: number
  readonly tag: string
  readonly code: string
  readonly envelope: "general" | "conflict" | "nested"
  readonly error: SchemaAST.AST
}

/** The literal that a struct has under a key. */
const literalOf = (ast: SchemaAST.AST, key: string): string => {
  const type = propertyOf(ast, key)
  assert.isTrue(type !== undefined && SchemaAST.isLiteral(type), `${key} is a literal`)
  return type !== undefined && SchemaAST.isLiteral(type) ? String(type.literal) : ""
}

const propertyOf = (ast: SchemaAST.AST, key: string): SchemaAST.AST | undefined =>
  SchemaAST.getPropertySignatures(ast).find(({ name }) => name === key)?.type

const keysOf = (ast: SchemaAST.AST): string =>
  SchemaAST.getPropertySignatures(ast)
    .map(({ name }) => String(name))
    .filter((name) => name !== "details")
    .join()

const declared = ({ errors, name }: Route): ReadonlyArray<DeclaredError> =>
  [...errors].flatMap(([status, schema]) =>
    membersOf((schema ?? Schema.Never).ast).map((ast) => {
      assert.isTrue(SchemaAST.isTransformation(ast), `${name} ${status} is an envelope of an error`)
      const error = SchemaAST.isTransformation(ast) ? ast.to : ast
      const wire = SchemaAST.encodedAST(ast)
      const inner = propertyOf(wire, "error")
      const tag = literalOf(SchemaAST.encodedAST(error), "_tag")
      switch (keysOf(wire)) {
        case "error,code":
          return { status, tag, error, envelope: "general", code: literalOf(wire, "code") }
        case "code,message":
          return { status, tag, error, envelope: "conflict", code: literalOf(wire, "code") }
        case "success,error":
          assert.strictEqual(inner && keysOf(inner), "code,message", `${name} ${tag}`)
          return { status, tag, error, envelope: "nested", code: inner ? literalOf(inner, "code") : "" }
        default:
          return assert.fail(`${name} answers ${tag} in none of the three envelopes: ${keysOf(wire)}`)
      }
    })
  )

const segments = (path: string): ReadonlyArray<string> => path.split("/")

/** True when a request for the static path would fit the other one, which has parameters, as well. */
const shadows = (fixed: Route, open: Route): boolean =>
  fixed.method === open.method &&
  fixed !== open &&
  segments(fixed.path).length === segments(open.path).length &&
  segments(open.path).every((part, index) => part.startsWith(":") || part === segments(fixed.path)[index]) &&
  !fixed.path.includes(":")

const shadowed = routes.flatMap((open) =>
  routes.filter((fixed) => shadows(fixed, open)).map((fixed) => ({ fixed, open }))
)

/** Where somebody comes in by what they know, or goes. */
const doors = [
  "passwords.setup",
  "passwords.login",
  "passwords.logout",
  "passwords.recover",
  "devices.exchange",
  "invitations.acceptNew"
]

/** What everybody may do for themselves, and a search, previews and questions to a tracker profile, which write nothing. */
const ownAffairs = [
  "hosts.preview",
  "launch.preview",
  "members.switch",
  "invitations.accept",
  "relayDefinitions.preview",
  "search.search",
  "trackers.preview",
  "trackers.validate"
]

describe("every route", () => {
  it("is there: the walks below are not about nothing", () => {
    assert.isAbove(routes.length, 60)
  })

  it("declares a permission and stands behind the authorization", () => {
    for (const { behind, guard, name, ways } of routes) {
      assert.include(behind, "muster/Authorization", name)
      assert.include(["public", "principals", "credentialed"], guard, name)
      assert.strictEqual(ways.length > 0, guard !== "public", name)
      for (const { permission } of ways) assert.include(Permission.literals, permission, name)
    }
  })

  it("is public only where there is nothing to protect, or where somebody proves who they are", () => {
    assert.sameMembers(
      routes.filter(({ guard }) => guard === "public").map(({ name }) => name),
      ["auth.status", "health.health", "health.live", "health.ready", ...doors]
    )
  })

  it("changes nothing with a permission to read", () => {
    for (const { guard, method, name, ways } of routes) {
      if (method === "GET" || doors.includes(name) || ownAffairs.includes(name)) continue
      assert.notStrictEqual(guard, "public", name)
      for (const { permission } of ways) assert.notMatch(permission, /:read$/, name)
    }
  })

  it("has a description in whole sentences", () => {
    for (const { description, name } of routes) assert.match(description ?? "", /^[A-Z][\s\S]{10,}\.$/, name)
  })

  it("has a method and a path of its own", () => {
    const shapes = routes.map(({ method, path }) => `${method} ${path.replace(/:\w+/g, ":")}`)
    assert.strictEqual(new Set(shapes).size, shapes.length)
  })

  it("lies below /api, health apart", () => {
    for (const { name, path } of routes)
      assert.match(path, name.startsWith("health.") ? /^\/health/ : /^\/api\/(?!v1)/)
  })

  it("answers success with the status of its method", () => {
    const allowed = { GET: [200, 206], PUT: [200], PATCH: [200], DELETE: [204], POST: [200, 201, 202] }
    // What was in a removed worktree can be found again, and the answer says where.
    const telling = new Set(["worktrees.remove"])
    // What comes a second time makes nothing, and an import may change what is there: 201 or 200.
    // Bytes of which a part is asked for are a part: 206, or 200 when that is all of them.
    const either = new Set(["communication.replies", "relayDefinitions.import", "outputArtifacts.download"])
    for (const { method, name, successes } of routes) {
      const statuses = [...successes.keys()].filter((status) => status < 400)
      assert.lengthOf(statuses, either.has(name) ? 2 : 1, name)
      assert.includeMembers(telling.has(name) ? [200] : Reflect.get(allowed, method), statuses, name)
      for (const [status, schema] of successes) assert.strictEqual(schema === undefined, status === 204, name)
    }
  })

  it("answers 201 to a POST on a collection, whose members have routes of their own", () => {
    const collections = routes.filter(
      ({ method, path }) => method === "POST" && routes.some((other) => other.path.startsWith(`${path}/:`))
    )
    assert.isAbove(collections.length, 5)
    for (const { name, successes } of collections) assert.isTrue(successes.has(201), name)
  })

  it("limits every text that it takes in its path", () => {
    for (const { name, path, pathSchema } of routes) {
      const parameters = [...path.matchAll(/:(\w+)/g)].map(([, parameter]) => parameter)
      const properties = pathSchema === undefined ? [] : SchemaAST.getPropertySignatures(pathSchema.ast)
      assert.sameMembers(
        properties.map((property) => property.name),
        parameters,
        name
      )
      if (pathSchema === undefined) continue
      const long = Object.fromEntries(parameters.map((parameter) => [parameter, "x".repeat(10_000)]))
      assert.isTrue(Option.isNone(Schema.decodeUnknownOption(pathSchema)(long)), name)
    }
  })
})

describe("every error", () => {
  it("has one of the three envelopes, a literal code and a status that is an error", () => {
    for (const route of routes) {
      for (const { code, status } of declared(route)) {
        assert.match(code, /^[A-Z][A-Z_]+$/, route.name)
        assert.isTrue(status >= 400 && status < 600, route.name)
      }
    }
  })

  it("is the same everywhere: one tag, one class, one status, one envelope, one code", () => {
    const known = new Map<string, DeclaredError>()
    for (const route of routes) {
      for (const found of declared(route)) {
        const first = known.get(found.tag) ?? found
        known.set(found.tag, first)
        assert.strictEqual(found.error, first.error, `${route.name} ${found.tag}`)
        assert.deepEqual({ ...found, error: 0 }, { ...first, error: 0 }, `${route.name} ${found.tag}`)
      }
    }
    assert.isAbove(known.size, 20)
  })

  it("of the door is known to every route", () => {
    for (const route of routes) {
      assert.includeMembers(
        declared(route).map(({ tag }) => tag),
        [
          "InvalidRequest",
          "RouteNotFound",
          "InternalError",
          "StorageUnavailable",
          "Unauthenticated",
          "PermissionDenied"
        ],
        route.name
      )
    }
  })
})

describe("a path without parameters", () => {
  it("is met by others that have some", () => {
    assert.isNotEmpty(shadowed)
  })

  it.scopedLive("wins over them, even when a task has its last word for an id", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      for (const { fixed, open } of shadowed) {
        const word = segments(fixed.path).at(-1) ?? ""
        yield* request("POST", "/api/tasks", { body: { id: word, title: `A task called ${word}` } })
        // What the other route would answer is told by asking it for something that stands beside.
        yield* request("POST", "/api/tasks", { body: { id: "beside", title: "A task called beside" } })
        const path = open.path.replace(/:\w+/g, "beside")
        const other = yield* request(open.method, path, { as: "admin" })
        const answer = yield* request(fixed.method, fixed.path, { as: "admin" })
        const named = `${fixed.method} ${fixed.path} is not answered by ${open.path}`
        const shape = ({ body }: { readonly body: unknown }) => Object.keys(Object(body)).join()
        assert.notStrictEqual(shape(answer), shape(other), named)
      }
    }).pipe(Effect.provide(world()))
  )
})

describe("the id of a task", () => {
  it("is never a word that stands where an id stands in a path", () => {
    const words = routes
      .map(({ path }) => /^\/api\/tasks\/([^/:]+)/.exec(path)?.[1])
      .filter((word) => word !== undefined)
    for (const word of words) assert.include(reservedIds, word)
    for (const word of reservedIds) assert.isFalse(Schema.is(TaskIdInput)(word), word)
    assert.isTrue(Schema.is(TaskIdInput)("counts-1"))
  })
})
