import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { environment } from "../../src/Config.ts"
import type { Role } from "../../src/kernel/Permission.ts"
import { rawSender } from "../support/RawHttp.ts"
import { sharedWorld } from "../support/SharedWorld.ts"
import { keys, World, type WorldOptions, world } from "../support/World.ts"
import { type Caller, foreigner, implicitly, matrix, mayOnly, nobody, roleMay, withKey } from "./AuthCells.ts"
import { pathWith, routes } from "./Contract.ts"

const shared = sharedWorld()

const callers: ReadonlyArray<Caller> = [
  { who: "no credential", headers: {}, refusedWith: nobody },
  { who: "a key that is not valid", headers: withKey("nobody's"), refusedWith: nobody },
  { who: "an empty key", headers: withKey(""), refusedWith: nobody },
  { who: "a bearer token that is not valid", headers: { authorization: "Bearer junk" }, refusedWith: nobody },
  {
    who: "the admin's key as a bearer",
    headers: { authorization: `Bearer ${keys.admin}` },
    refusedWith: nobody
  },
  { who: "the key of a reader", headers: withKey(keys["read-only"]), refusedWith: roleMay("read-only") },
  { who: "the key of an agent", headers: withKey(keys.agent), refusedWith: roleMay("agent") },
  { who: "the key of the admin", headers: withKey(keys.admin), refusedWith: roleMay("admin") },
  {
    who: "a foreign Host",
    headers: { ...withKey(keys.admin), host: "board.example" },
    refusedWith: foreigner
  },
  {
    who: "a foreign Origin",
    headers: { ...withKey(keys.admin), origin: "https://evil.example" },
    refusedWith: foreigner
  },
  {
    who: "the Origin null",
    headers: { ...withKey(keys.admin), origin: "null" },
    refusedWith: foreigner
  }
]

const inWorld = (options: WorldOptions, all: ReadonlyArray<Caller>) =>
  Effect.provide(matrix(all), world(options))

describe("who may do what", () => {
  it.scopedLive("is decided by the role and the permission of the route, everywhere", () =>
    Effect.gen(function* () {
      assert.isAbove(yield* inWorld({}, callers), 700)
    })
  )

  it.scopedLive("is decided before the route for a foreign Host or Origin: unknown routes too", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* World
      const send = yield* rawSender(baseUrl)
      for (const path of ["/nowhere", "/docs", "/api/openapi.json", "/ws", "/"]) {
        for (const { headers } of callers.filter(({ refusedWith }) => refusedWith === foreigner)) {
          assert.strictEqual((yield* send({ method: "GET", path, headers })).status, 403, path)
        }
      }
      for (const host of [
        "board.example:80",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "a@b",
        "a b"
      ]) {
        const answer = yield* send({ method: "GET", path: "/health", headers: { host } })
        assert.strictEqual(answer.status, 403, host)
      }
    }).pipe(Effect.provide(shared))
  )

  it("lets readers use what is no GET in five places alone, that need no more than any reader has", () => {
    const writes = routes.filter(
      ({ method, ways }) => method !== "GET" && ways.some(({ forReaders }) => forReaders === true)
    )
    assert.deepStrictEqual(writes.map(({ method, path }) => `${method} ${path}`).sort(), [
      "POST /api/agents/:taskId/launch-preview",
      "POST /api/agents/hosts/preview",
      "POST /api/identity/invitations/accept",
      "POST /api/identity/workspaces/switch",
      "POST /api/search"
    ])
    for (const route of writes) assert.isUndefined(roleMay("read-only")(route))
  })

  it.scopedLive("says to a scoped credential that it is one, and to a reader that they read", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const token = (body: object) =>
        Effect.map(
          request("POST", "/api/auth/tokens", { as: "admin", body: { name: "CI", ...body } }),
          (made) => withKey(made.body.token)
        )
      const refusal = (headers: Readonly<Record<string, string>>, path: string) =>
        Effect.map(request("POST", path, { as: null, headers: { ...headers }, body: {} }), ({ body }) => body)
      const scoped = yield* refusal(yield* token({ role: "agent", scopes: ["task:read"] }), "/api/tasks")
      assert.deepStrictEqual(scoped.details, {
        requiredPermission: "task:write",
        role: "agent",
        scoped: true
      })
      assert.include(scoped.error, "is scoped")
      assert.include(scoped.error, "task:write")
      const whole = yield* refusal(yield* token({ role: "agent" }), "/api/search/index/refresh")
      assert.deepStrictEqual(whole.details, { requiredPermission: "settings:write", role: "agent" })
      const preview = "/api/integrations/trackers/profiles/sample/validate"
      const reader = yield* refusal(withKey(keys["read-only"]), preview)
      assert.deepStrictEqual(reader.details, {
        requiredPermission: "settings:read",
        role: "read-only",
        readsOnly: true
      })
      const narrow = yield* refusal(yield* token({ role: "agent", scopes: ["settings:read"] }), preview)
      assert.strictEqual(narrow.code, "NOT_FOUND")
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("cannot be decided by a key in the query", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      for (const route of routes.filter(({ guard }) => guard !== "public")) {
        const path = `${pathWith(route, () => "nobody")}?api_key=${keys.admin}&x-api-key=${keys.admin}`
        const answer = yield* request(route.method, path, { as: null })
        assert.strictEqual(answer.status, 401, `${route.method} ${path}`)
      }
      const status = yield* request("GET", `/api/auth/status?api_key=${keys.admin}`, { as: null })
      assert.deepInclude(status.body, { authenticated: false, role: null })
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("is the same for HEAD as for GET", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* World
      const send = yield* rawSender(baseUrl)
      for (const route of routes.filter(({ method }) => method === "GET")) {
        for (const { headers, refusedWith, who } of callers) {
          const asked = { path: pathWith(route, () => "nobody"), headers }
          const head = yield* send({ ...asked, method: "HEAD" })
          const got = refusedWith(route) ?? (yield* send({ ...asked, method: "GET" })).status
          assert.strictEqual(head.status, got, `${route.path} with ${who}`)
          assert.strictEqual(head.text, "")
        }
      }
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("tells the routes apart that there are: the others are unknown to everybody", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* World
      const send = yield* rawSender(baseUrl)
      for (const { headers, refusedWith } of callers) {
        const answer = yield* send({ method: "GET", path: "/api/nowhere", headers })
        assert.strictEqual(answer.status, refusedWith === foreigner ? 403 : 404)
      }
    }).pipe(Effect.provide(shared))
  )
})

/** Those who come in with what this server handed out: tokens, devices, a login. */
const admitted = Effect.gen(function* () {
  const { request } = yield* World
  const made = (path: string, body: object) =>
    Effect.map(request("POST", path, { as: "admin", body }), (answer) => answer.body)
  const token = (more: object) => made("/api/auth/tokens", { name: "CI", role: "agent", ...more })
  const device = Effect.gen(function* () {
    const draft = { deviceName: "Phone", clientMode: "mobile", role: "admin", scopes: ["settings:read"] }
    const { code, link } = yield* made("/api/identity/workspaces/default/device-pairing-codes", draft)
    const payload = JSON.parse(Buffer.from(new URL(link).hash.slice(1), "base64url").toString())
    return yield* made("/api/auth/device-pairing/exchange", { code, payload })
  })
  const [kept, revoked, paired, unpaired] = [
    yield* token({ scopes: ["task:read"] }),
    yield* token({}),
    yield* device,
    yield* device
  ]
  yield* request("DELETE", `/api/auth/tokens/${revoked.id}`, { as: "admin" })
  const session = `/api/identity/workspaces/default/device-sessions/${unpaired.deviceSessionId}`
  yield* request("POST", `${session}/revoke`, { as: "admin" })
  yield* made("/api/auth/setup", { password: "correct horse battery" })
  const login = yield* made("/api/auth/login", { password: "correct horse battery" })
  const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` })
  const cookie = { cookie: `service_session=${login.token}` }
  const all: ReadonlyArray<Caller> = [
    { who: "a scoped token", headers: withKey(kept.token), refusedWith: mayOnly("agent", "task:read") },
    { who: "a token as a bearer", headers: bearer(kept.token), refusedWith: nobody },
    { who: "a revoked token", headers: withKey(revoked.token), refusedWith: nobody },
    { who: "a scoped device", headers: bearer(paired.token), refusedWith: mayOnly("admin", "settings:read") },
    { who: "a device as a key", headers: withKey(paired.token), refusedWith: nobody },
    { who: "a revoked device", headers: bearer(unpaired.token), refusedWith: nobody },
    {
      who: "a login that does not say from which page it writes",
      headers: cookie,
      refusedWith: ({ guard, method }) => (method === "GET" || guard === "public" ? undefined : 401)
    },
    { who: "a login as a bearer", headers: bearer(login.token), refusedWith: nobody },
    {
      who: "a login that was passed on",
      headers: { ...cookie, "x-forwarded-for": "127.0.0.1" },
      refusedWith: nobody
    },
    { who: "a wrong key beside a login", headers: { ...cookie, ...withKey("no") }, refusedWith: nobody }
  ]
  return all
})

describe("who came in with what this server handed out", () => {
  it.scopedLive("may do what its scopes say, everywhere, and nothing once it was revoked", () =>
    Effect.gen(function* () {
      assert.isAbove(yield* matrix(yield* admitted), 1_000)
    }).pipe(Effect.provide(world()))
  )
})

const forwarding = [
  "forwarded",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-real-ip",
  "via"
]

describe("the bypass for this machine", () => {
  const bypass = (role: Role): ReadonlyArray<Caller> => [
    { who: "no credential, from here", headers: {}, refusedWith: implicitly(role) },
    { who: "a key that is not valid", headers: withKey("nobody's"), refusedWith: nobody },
    { who: "a bearer token", headers: { authorization: "Bearer junk" }, refusedWith: nobody },
    { who: "an agent's key", headers: withKey(keys.agent), refusedWith: roleMay("agent") },
    ...forwarding.map((name) => ({
      who: `a request that was passed on (${name})`,
      headers: { [name]: "127.0.0.1" },
      refusedWith: nobody
    }))
  ]

  for (const role of ["read-only", "agent", "admin"] as const) {
    it.scopedLive(`speaks for ${role}, and for nobody that came through a proxy`, () =>
      inWorld({ auth: { localhostBypass: true, localhostRole: role } }, bypass(role))
    )
  }

  it.effect("is off, and read-only where it is switched on without a role", () =>
    Effect.gen(function* () {
      const read = (variables: Record<string, string>) =>
        Effect.withConfigProvider(environment, ConfigProvider.fromMap(new Map(Object.entries(variables))))
      const silent = yield* read({})
      assert.deepInclude(silent.settings.auth, { enabled: true, localhostBypass: false })
      const on = yield* read({ SERVICE_AUTH_LOCALHOST_BYPASS: "true" })
      assert.deepInclude(on.settings.auth, { localhostBypass: true, localhostRole: "read-only" })
      const production = yield* read({ SERVICE_AUTH_LOCALHOST_BYPASS: "true", NODE_ENV: "production" })
      assert.deepInclude(production.settings.auth, { localhostBypass: false })
    })
  )
})

describe("without authentication", () => {
  it.scopedLive("everybody is admin, but a key that is sent must be valid, and foreigners stay out", () =>
    inWorld({ auth: { enabled: false } }, [
      { who: "no credential", headers: {}, refusedWith: implicitly("admin") },
      { who: "a key that is not valid", headers: withKey("nobody's"), refusedWith: nobody },
      { who: "a bearer token", headers: { authorization: "Bearer junk" }, refusedWith: nobody },
      { who: "a reader's key", headers: withKey(keys["read-only"]), refusedWith: roleMay("read-only") },
      ...callers
        .filter(({ refusedWith }) => refusedWith === foreigner)
        .map(({ headers: { "x-api-key": _, ...headers }, ...caller }) => ({ ...caller, headers }))
    ])
  )
})
