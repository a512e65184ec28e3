import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Principals } from "../../src/identity/principals/Principals.ts"
import { Permission } from "../../src/kernel/Permission.ts"
import { run, sql } from "../../src/storage/Sql.ts"
import { Storage } from "../../src/storage/Storage.ts"
import {
  type Caller,
  type Cell,
  checkCells,
  implicitly,
  mayOnly,
  nobody,
  roleMay,
  withKey
} from "../contract/AuthCells.ts"
import { routes } from "../contract/Contract.ts"
import { ask } from "../support/Board.ts"
import { isLong } from "../support/Form.ts"
import { keys, world } from "../support/World.ts"

/** The whole matrix, or of each route the cells that decide most. */

const scopes = Permission.literals

const token = (name: string, more: object) =>
  ask("POST", "/api/auth/tokens", { as: "admin", body: { name, role: "admin", ...more } })

/** A token for each scope, that has it and nothing else. */
const scoped = Effect.forEach(scopes, (scope) =>
  Effect.map(
    token(scope, { scopes: [scope] }),
    (made): Caller => ({
      who: `a token with ${scope} alone`,
      headers: withKey(made.token),
      refusedWith: mayOnly("admin", scope)
    })
  )
)

/** Those who came in once and may not any more, and an admin of another workspace, who is one there alone. */
const outsiders = Effect.gen(function* () {
  const { write } = yield* Storage
  const [revoked, expired, elsewhere] = [
    yield* token("revoked", {}),
    yield* token("expired", {}),
    yield* token("elsewhere", {})
  ]
  yield* ask("DELETE", `/api/auth/tokens/${revoked.id}`, { as: "admin" })
  yield* write(
    Effect.all([
      run(sql`UPDATE api_tokens SET expires_at = created_at WHERE id = ${expired.id}`),
      run(sql`INSERT INTO workspaces (id, name, created_at) VALUES ('other', 'Other', 0)`),
      run(
        sql`
          INSERT INTO memberships (id, workspace_id, user_id, role, active, created_at, updated_at)
          VALUES ('elsewhere', 'other', 'owner', 'admin', 1, 0, 0)`
      ),
      run(sql`UPDATE api_tokens SET membership_id = 'elsewhere' WHERE id = ${elsewhere.id}`)
    ])
  )
  yield* Effect.flatMap(Principals, ({ refresh }) => refresh)
  const all: ReadonlyArray<Caller> = [
    { who: "a revoked token", headers: withKey(revoked.token), refusedWith: nobody },
    { who: "an expired token", headers: withKey(expired.token), refusedWith: nobody },
    {
      who: "an admin of another workspace",
      headers: withKey(elsewhere.token),
      refusedWith: mayOnly("admin", "workspace:read")
    }
  ]
  return all
})

const ofTheEnvironment: ReadonlyArray<Caller> = [
  { who: "no credential", headers: {}, refusedWith: nobody },
  { who: "a key that is not valid", headers: withKey("nobody's"), refusedWith: nobody },
  { who: "a reader's key", headers: withKey(keys["read-only"]), refusedWith: roleMay("read-only") },
  { who: "an agent's key", headers: withKey(keys.agent), refusedWith: roleMay("agent") },
  { who: "the admin's key", headers: withKey(keys.admin), refusedWith: roleMay("admin") }
]

/** One of a list for each number, in turn. */
const turn = <A>(all: ReadonlyArray<A>, index: number): ReadonlyArray<A> =>
  all.slice(index % all.length).slice(0, 1)

/** For each route the token with its own scope, one with another scope, and one of the others in turn. */
const sample = (byScope: ReadonlyArray<Caller>, others: ReadonlyArray<Caller>): ReadonlyArray<Cell> =>
  routes.flatMap((route, index) => {
    const asked = route.ways.map(({ permission }) => permission)
    const own = scopes.flatMap((scope, index) => (asked.includes(scope) ? turn(byScope, index) : []))
    const wrong = byScope.filter((caller) => !own.includes(caller))
    return [...own, ...turn(wrong, index), ...turn(others, index)].map((caller) => ({ caller, route }))
  })

const every = (callers: ReadonlyArray<Caller>): ReadonlyArray<Cell> =>
  callers.flatMap((caller) => routes.map((route) => ({ caller, route })))

describe("every route", () => {
  it.scopedLive(
    "is opened by its own scope alone, and by nothing that has ended or belongs elsewhere",
    () =>
      Effect.gen(function* () {
        const [byScope, others] = [yield* scoped, [...ofTheEnvironment, ...(yield* outsiders)]]
        const cells = isLong ? every([...byScope, ...others]) : sample(byScope, others)
        assert.strictEqual(new Set(cells.map(({ route }) => route)).size, routes.length)
        assert.isAtLeast(yield* checkCells(cells), isLong ? 5_000 : 500)
      }).pipe(Effect.provide(world())),
    isLong ? 600_000 : 60_000
  )

  it.scopedLive(
    "is closed to the bypass when something passed the request on",
    () =>
      Effect.gen(function* () {
        const passedOn = [
          ...["forwarded", "via", "x-forwarded", "x-forwarded-port", "x-real-ip", "x-client-ip"],
          ...["x-cluster-client-ip", "true-client-ip", "cf-connecting-ip", "cf-ray", "fastly-client-ip"],
          ...["x-original-host", "x-original-forwarded-for", "x-envoy-external-address"]
        ].map(
          (name): Caller => ({
            who: `the bypass with ${name}`,
            headers: { [name]: "127.0.0.1" },
            refusedWith: nobody
          })
        )
        const foreign: Caller = {
          who: "the bypass with another machine's address for a Host",
          headers: { host: "10.0.0.7:3001" },
          refusedWith: nobody
        }
        const bypass: Caller = { who: "the bypass", headers: {}, refusedWith: implicitly("agent") }
        const closed = [...passedOn, foreign]
        const cells = isLong
          ? every([bypass, ...closed])
          : routes.flatMap((route, index) => turn(closed, index).map((caller) => ({ caller, route })))
        assert.isAtLeast(yield* checkCells(cells), isLong ? 3_000 : 200)
      }).pipe(Effect.provide(world({ auth: { localhostBypass: true, localhostRole: "agent" } }))),
    isLong ? 600_000 : 60_000
  )
})
