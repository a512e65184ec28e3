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

export const roleMay =
  (role: Role) =>
  ({ forReaders, requires }: Route): 403 | undefined =>
    requires === undefined ||
    requires === "public" ||
    (permissionsOf(role).has(requires) && (forReaders || role !== "read-only"))
      ? undefined
      : 403

/** The same for those who are let in without a credential. */
export const implicitly =
  (role: Role) =>
  (route: Route): 403 | undefined =>
    route.explicit ? 403 : roleMay(role)(route)

export const nobody = ({ requires }: Route): 401 | undefined => (requires === "public" ? undefined : 401)
export const foreigner = (): 403 => 403

export const withKey = (key: string) => ({ "x-api-key": key })

/** A caller with exactly these permissions, whatever its role. */
export const mayOnly =
  (...permissions: ReadonlyArray<Permission>) =>
  ({ requires }: Route): 403 | undefined =>
    requires === undefined || requires === "public" || permissions.includes(requires) ? undefined : 403

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

/** Sends every route of the contract as each caller, and compares what becomes of them. */
export const matrix = (all: ReadonlyArray<Caller>) =>
  checkCells(all.flatMap((caller) => routes.map((route) => ({ caller, route }))))

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
      assert.notInclude([401, 403, 500], answer.status, where)
    }
    return cells.length
  })
