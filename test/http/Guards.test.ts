import { HttpApi, HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { Cause, Context, Effect, Exit, Layer, Schema } from "effect"
import { described } from "../../src/http/ContractDocument.ts"
import { ContractTables } from "../../src/http/ContractTables.ts"
import { ServerAddress } from "../../src/http/Server.ts"
import { Authorization, Requires } from "../../src/kernel/Authorization.ts"
import { ExplicitCredential } from "../../src/kernel/ExplicitCredential.ts"
import { parseStored } from "../../src/kernel/Json.ts"
import { Permission, permissionsOf } from "../../src/kernel/Permission.ts"
import { inRole } from "../../src/kernel/Requirement.ts"
import { guardedBy, principals, type RouteGuard, withOwnCredential } from "../../src/kernel/RouteGuard.ts"
import {
  type Caller,
  implicitly,
  matrix,
  mayOnly,
  nobody,
  principal,
  roleMay,
  withKey
} from "../contract/AuthCells.ts"
import { routesOf } from "../contract/Contract.ts"
import { auditTrail } from "../support/Audit.ts"
import { keys, send, temporaryDirectory, World, world, worldIn } from "../support/World.ts"
import { handle, OwnApi, ownGuards, ownServer, runHandle } from "./OwnContract.ts"

const routes = routesOf(OwnApi)
const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` })

/** The contract of this test's own, served for the principals of the world that is there. */
const own = Effect.map(Layer.build(ownServer), (context) => Context.get(context, ServerAddress).baseUrl)

/** Compares what becomes of callers at the routes of the own contract. */
const compare = (callers: ReadonlyArray<Caller>) =>
  Effect.gen(function* () {
    const there = yield* World
    const baseUrl = yield* own
    return yield* Effect.provideService(matrix(callers, routes), World, { ...there, baseUrl })
  })

const ofTheEnvironment: ReadonlyArray<Caller> = [
  { who: "no credential", headers: {}, refusedWith: nobody },
  { who: "a key that is not valid", headers: withKey("nobody's"), refusedWith: nobody },
  { who: "a reader's key", headers: withKey(keys["read-only"]), refusedWith: roleMay("read-only") },
  { who: "an agent's key", headers: withKey(keys.agent), refusedWith: roleMay("agent") },
  { who: "the admin's key", headers: withKey(keys.admin), refusedWith: roleMay("admin") },
  {
    who: "an agent's key that something passed on",
    headers: { ...withKey(keys.agent), "x-forwarded-for": "127.0.0.1" },
    refusedWith: principal({ role: "agent", permissions: permissionsOf("agent"), elsewhere: true })
  }
]

/** A token for each scope of a role, that has it and nothing else. */
const scoped = (role: "admin" | "agent") =>
  Effect.gen(function* () {
    const { request } = yield* World
    return yield* Effect.forEach(permissionsOf(role), (scope) =>
      Effect.map(
        request("POST", "/api/auth/tokens", {
          as: "admin",
          body: { name: `${role} ${scope}`, role, scopes: [scope] }
        }),
        ({ body }): Caller => ({
          who: `a token of the role ${role} with ${scope} alone`,
          headers: withKey(body.token),
          refusedWith: mayOnly(role, scope)
        })
      )
    )
  })

/** The owner's login: the one session that can do something beyond the API. */
const login = Effect.gen(function* () {
  const { request } = yield* World
  const password = "correct horse battery"
  const setup = yield* request("POST", "/api/auth/setup", { as: "admin", body: { password } })
  assert.strictEqual(setup.status, 201)
  const { body } = yield* request("POST", "/api/auth/login", { as: null, body: { password } })
  const caller: Caller = {
    who: "the owner's login",
    headers: { cookie: `service_session=${body.token}`, referer: "http://127.0.0.1/" },
    refusedWith: principal({
      role: "admin",
      permissions: permissionsOf("admin"),
      capabilities: ["local-agent:run"]
    })
  }
  return caller
})

/** The handle of a run opens what is guarded by it, and what is open to everybody. */
const holder: Caller = {
  who: "the handle of a run",
  headers: bearer(handle),
  refusedWith: ({ guard }) => (guard === runHandle.name || guard === "public" ? undefined : 401)
}

describe("a rule of a contract", () => {
  it.scopedLive("lets in whom it says, in every form, for every role and every scope alone", () =>
    Effect.gen(function* () {
      const callers = [
        ...ofTheEnvironment,
        ...(yield* scoped("admin")),
        ...(yield* scoped("agent")),
        yield* login
      ]
      assert.strictEqual(yield* compare(callers), callers.length * routes.length)
      assert.isAbove(callers.length, Permission.literals.length)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("asks those who are let in without a credential too, and where it says so, for one", () =>
    Effect.provide(
      compare([{ who: "no credential, from here", headers: {}, refusedWith: implicitly("admin") }]),
      world({ auth: { localhostBypass: true, localhostRole: "admin" } })
    )
  )

  it.scopedLive(
    "names in its refusal what would have been enough, and in the audit chain what was missed",
    () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        yield* Effect.gen(function* () {
          const baseUrl = yield* own
          const entry = yield* send(baseUrl, "POST", "/api/forms/register", { as: "read-only" })
          assert.deepStrictEqual(
            [entry.status, entry.body],
            [
              403,
              {
                error:
                  "This needs the permission agent:write, or the permission task:write with the role agent",
                code: "PERMISSION_DENIED",
                details: {
                  requiredPermission: "agent:write",
                  role: "read-only",
                  enough: [{ permission: "agent:write" }, { permission: "task:write", role: "agent" }]
                }
              }
            ]
          )
          assert.strictEqual((yield* send(baseUrl, "POST", "/api/forms/preset", {})).status, 403)
        }).pipe(Effect.provide(worldIn(directory)))
        const trail = yield* Effect.provide(auditTrail, worldIn(directory))
        assert.deepStrictEqual(
          trail
            .filter(({ action }) => action === "permission.denied")
            .map(({ details, resourceId }) => [resourceId, parseStored(details)]),
          [
            [
              "POST /api/forms/preset",
              {
                requiredPermission: "policy:write",
                enough: [{ permission: "policy:write", role: "admin" }],
                times: 1
              }
            ]
          ]
        )
      })
  )
})

describe("a credential that is no principal's", () => {
  it.scopedLive("opens the routes of its own guard alone, and is no key and no device's token", () =>
    Effect.provide(
      compare([
        holder,
        { who: "a handle as a key", headers: withKey(handle), refusedWith: nobody },
        { who: "another handle", headers: bearer("another"), refusedWith: nobody },
        {
          who: "a handle in another scheme",
          headers: { authorization: `Basic ${handle}` },
          refusedWith: nobody
        }
      ]),
      world()
    )
  )

  it.scopedLive("gives its routes what it stands for, whoever's key comes along", () =>
    Effect.gen(function* () {
      const baseUrl = yield* own
      const call = (headers: Record<string, string>) =>
        send(baseUrl, "POST", "/api/bridge/call", { as: null, body: {}, headers })
      assert.strictEqual((yield* call(bearer(handle))).body, "first")
      assert.strictEqual((yield* call({ ...bearer(handle), ...withKey(keys.admin) })).body, "first")
      const refused = yield* call(withKey(keys.admin))
      assert.deepStrictEqual([refused.status, refused.body.details], [401, { reason: "missing" }])
      const unknown = yield* send(baseUrl, "GET", "/api/bridge/catalog?attempt=1", {
        as: null,
        headers: bearer(handle)
      })
      assert.deepStrictEqual([unknown.status, unknown.headers.get("x-unknown-parameters")], [200, "attempt"])
    }).pipe(Effect.provide(world()))
  )
})

describe("a server does not start", () => {
  const endpoint = HttpApiEndpoint.get("look", "/look").addSuccess(Schema.String)
  const group = HttpApiGroup.make("things")

  const started = <Groups extends HttpApiGroup.HttpApiGroup.Any, E, R>(
    api: HttpApi.HttpApi<"own", Groups, E, R>,
    guards: ReadonlyArray<RouteGuard> = ownGuards
  ) =>
    Effect.map(Effect.exit(Layer.build(ContractTables.layer(api, guards))), (exit) =>
      Exit.isSuccess(exit) ? "started" : String(Cause.squash(exit.cause))
    )

  const own = HttpApi.make("own")

  it.scoped("with a route that does not say who may use it, or says nothing that there is", () =>
    Effect.gen(function* () {
      const silent = own.add(group.add(endpoint).middleware(Authorization))
      assert.strictEqual(yield* started(silent), "Error: GET /look does not say who may use it")
      const named = own.add(
        group.add(endpoint.annotate(Requires, { guard: "porter" })).middleware(Authorization)
      )
      assert.strictEqual(yield* started(named), "Error: GET /look names the guard porter, which there is not")
      const handled = own.add(group.add(endpoint.annotate(Requires, guardedBy(runHandle))))
      assert.strictEqual(
        yield* started(handled, []),
        "Error: GET /look names the guard run-handle, which there is not"
      )
      const free = own.add(
        group.add(endpoint.annotate(Requires, guardedBy(principals))).middleware(Authorization)
      )
      assert.strictEqual(
        yield* started(free),
        "Error: GET /look requires nothing behind the guard principals"
      )
    })
  )

  it.scoped("with a route that stands behind less than it says, or behind more", () =>
    Effect.gen(function* () {
      for (const rule of ["public", "task:read", inRole("admin", "policy:write")] as const) {
        const open = own.add(group.add(endpoint.annotate(Requires, rule)))
        assert.strictEqual(yield* started(open), "Error: GET /look is not behind muster/Authorization")
      }
      const implicit = own.add(
        group.add(endpoint.annotate(Requires, withOwnCredential("task:read"))).middleware(Authorization)
      )
      assert.strictEqual(yield* started(implicit), "Error: GET /look is not behind muster/ExplicitCredential")
      const secret = own.add(
        group
          .add(endpoint.annotate(Requires, "task:read").middleware(ExplicitCredential))
          .middleware(Authorization)
      )
      assert.strictEqual(
        yield* started(secret),
        "Error: GET /look is behind muster/ExplicitCredential without saying so"
      )
      const both = own.add(
        group.add(endpoint.annotate(Requires, guardedBy(runHandle))).middleware(Authorization)
      )
      assert.strictEqual(yield* started(both), "Error: GET /look is not behind test/RunHandle")
    })
  )

  it.scoped("and does with those that say it truly", () =>
    Effect.map(started(OwnApi), (came) => assert.strictEqual(came, "started"))
  )
})

describe("the document of a contract", () => {
  const { components, paths } = OpenApi.fromApi(described(OwnApi, ownGuards))
  const of = (path: string, method: "get" | "post"): Readonly<Record<string, unknown>> => {
    const operation = paths[path]?.[method]
    return { ...operation, says: operation?.description?.trim() }
  }
  const anybody = [{ apiKey: [] }, { bearer: [] }]

  it("says of each operation which credentials it takes, and what is enough", () => {
    assert.deepInclude(of("/forms/preview", "post"), {
      says: "Needs the permission `agent:read`.",
      security: anybody,
      "x-required-permission": "agent:read"
    })
    assert.deepInclude(of("/forms/register", "post"), {
      says: "Needs the permission `agent:write`, or the permission `task:write` with the role `agent`.",
      security: anybody,
      "x-required-any-of": [{ permission: "agent:write" }, { permission: "task:write", role: "agent" }]
    })
    assert.deepInclude(of("/forms/list", "get"), { says: "Needs no credential.", security: [] })
    assert.deepInclude(of("/bridge/call", "post"), {
      says: "Takes the credential `runHandle` alone.",
      security: [{ runHandle: [] }]
    })
    assert.hasAllKeys(components.securitySchemes, ["apiKey", "bearer", "runHandle"])
  })
})
