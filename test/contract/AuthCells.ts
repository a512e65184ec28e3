import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { type Permission, permissionsOf, type Role } from "../../src/kernel/Permission.ts"
import { firstRow, rows, type Sql } from "../../src/storage/Sql.ts"
import { Storage } from "../../src/storage/Storage.ts"
import { rawSender } from "../support/RawHttp.ts"
import { World } from "../support/World.ts"
import { pathWith, problemOf, type Route, routes } from "./Contract.ts"

/** Somebody at the door, and what the contract says will become of them at each route. */
export interface Caller {
  readonly who: string
  readonly headers: Readonly<Record<string, string>>
  /** 401, 403, or nothing when the request gets through. */
  readonly refusedWith: (route: Route) => 401 | 403 | undefined
}

/** Who comes to a route. */
interface Principal {
  readonly role: Role
  readonly permissions: ReadonlySet<Permission>
  /** What their password session can do beyond the API. */
  readonly capabilities?: ReadonlyArray<string>
  /** True for those who are let in without a credential. */
  readonly implicit?: true
  /** True for those whose request something passed on. */
  readonly elsewhere?: true
}

/** What becomes of a principal at a route, by what its contract says. */
export const principal =
  (by: Principal) =>
  ({ guard, method, ways }: Route): 401 | 403 | undefined => {
    if (guard === "public") return undefined
    if (guard !== "principals" && guard !== "credentialed") return 401
    if (guard === "credentialed" && by.implicit === true) return 403
    const open = ways.some(
      ({ capability, forReaders, fromHere, permission, role }) =>
        by.permissions.has(permission) &&
        (role === undefined || role === by.role) &&
        (capability === undefined || by.capabilities?.includes(capability) === true) &&
        (fromHere === undefined || by.elsewhere !== true) &&
        (by.role !== "read-only" || method === "GET" || forReaders === true)
    )
    return open ? undefined : 403
  }

export const roleMay = (role: Role) => principal({ role, permissions: permissionsOf(role) })

/** The same for those who are let in without a credential. */
export const implicitly = (role: Role) =>
  principal({ role, permissions: permissionsOf(role), implicit: true })

export const nobody = ({ guard }: Route): 401 | undefined => (guard === "public" ? undefined : 401)
export const foreigner = (): 403 => 403

export const withKey = (key: string) => ({ "x-api-key": key })

/** A caller of a role with exactly these permissions. */
export const mayOnly = (role: Role, ...permissions: ReadonlyArray<Permission>) =>
  principal({ role, permissions: new Set(permissions) })

/**
 * Everything that storage holds, by table: how many rows. Of the audit chain only what is no denial, and no cursors:
 * workers move them by themselves.
 */
const contents: Effect.Effect<unknown, never, Sql> = Effect.flatMap(
  rows<{ name: string }>(
    (sql) => sql`SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'projections' ORDER BY name`
  ),
  (tables) =>
    Effect.forEach(tables, ({ name }) =>
      Effect.map(
        firstRow<{ n: number }>((sql) =>
          name === "audit"
            ? sql`SELECT COUNT(*) AS n FROM audit WHERE action <> 'permission.denied'`
            : sql`SELECT COUNT(*) AS n FROM ${sql(name)}`
        ),
        (counted) => [name, counted?.n]
      )
    )
)

/**
 * Routes at which the entry decides too: an agent writes the one that bears its own name. The registry's tests say what
 * becomes of the others.
 */
const ownEntries = /^\/api\/agents\/register(?:$|\/)/

/** Statuses that whoever gets through to a route never sees. */
const neverAt = ({ method, path }: Route): ReadonlyArray<number> =>
  method !== "GET" && ownEntries.test(path) ? [401, 500] : [401, 403, 500]

/** A request to a route that has all that its path needs, about things that do not exist. */
const probe = (route: Route) => ({
  method: route.method,
  path: pathWith(route, () => "nobody"),
  ...(route.method === "GET" ? {} : { body: "{}" })
})

const headersFor = (route: Route, headers: Readonly<Record<string, string>>) =>
  route.method === "GET" ? headers : { "content-type": "application/json", ...headers }

const envelopes: Readonly<Record<number, string>> = { 401: "UNAUTHORIZED", 403: "PERMISSION_DENIED" }

/** One caller at one route. */
export interface Cell {
  readonly caller: Caller
  readonly route: Route
}

/** Sends every route of a contract as each caller, and compares what becomes of them. */
export const matrix = (all: ReadonlyArray<Caller>, of: ReadonlyArray<Route> = routes) =>
  checkCells(all.flatMap((caller) => of.map((route) => ({ caller, route }))))

/** Sends a request for each cell, and compares what becomes of it; gives how many. Refusals come first. */
export const checkCells = (cells: ReadonlyArray<Cell>) =>
  Effect.gen(function* () {
    const { baseUrl } = yield* World
    const storage = yield* Storage
    const send = yield* rawSender(baseUrl)
    const before = yield* storage.read(contents)
    for (const { caller, route } of cells) {
      const expected = caller.refusedWith(route)
      if (expected === undefined) continue
      const where = `${route.method} ${route.path} with ${caller.who}`
      const answer = yield* send({ ...probe(route), headers: headersFor(route, caller.headers) })
      const body = JSON.parse(answer.text)
      assert.strictEqual(answer.status, expected, where)
      assert.hasAllKeys(body, ["error", "code", "details"], where)
      assert.strictEqual(body.code, envelopes[expected], where)
      if (caller.refusedWith !== foreigner) {
        assert.isUndefined(problemOf(route, { status: answer.status, body }), where)
      }
      for (const secret of ["nobody's", "junk"]) assert.notInclude(answer.text, secret, where)
    }
    assert.deepStrictEqual(yield* storage.read(contents), before, "a refusal changed something")
    for (const { caller, route } of cells) {
      if (caller.refusedWith(route) !== undefined) continue
      const where = `${route.method} ${route.path} with ${caller.who}`
      const answer = yield* send({ ...probe(route), headers: headersFor(route, caller.headers) })
      assert.notInclude(neverAt(route), answer.status, where)
    }
    return cells.length
  })
