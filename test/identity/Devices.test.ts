import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { run, sql } from "../../src/storage/Sql.ts"
import { Storage } from "../../src/storage/Storage.ts"
import { auditTrail } from "../support/Audit.ts"
import { sharedWorld } from "../support/SharedWorld.ts"
import { listen } from "../support/Socket.ts"
import { type RequestOptions, temporaryDirectory, World, world, worldIn } from "../support/World.ts"

const shared = sharedWorld()

const ask = (method: string, path: string, options: RequestOptions = {}) =>
  Effect.flatMap(World, ({ request }) => request(method, path, { as: "admin", ...options }))

const inWorkspace = (path: string) => `/api/identity/workspaces/default/${path}`

const draft = {
  deviceName: "Ann's phone",
  clientMode: "mobile",
  capabilities: ["notifications"],
  scopes: ["task:read", "task:write"],
  role: "agent"
}

const pairing = (more: Record<string, unknown> = {}) =>
  Effect.map(ask("POST", inWorkspace("device-pairing-codes"), { body: { ...draft, ...more } }), (made) => {
    const fragment = new URL(made.body.link).hash.slice(1)
    const { code, ...payload } = JSON.parse(Buffer.from(fragment, "base64url").toString())
    assert.strictEqual(code, made.body.code)
    return { made, body: { code: String(code), payload } }
  })

const exchange = (body: unknown) => ask("POST", "/api/auth/device-pairing/exchange", { as: null, body })

const pair = (more: Record<string, unknown> = {}) =>
  Effect.flatMap(pairing(more), ({ body }) => Effect.map(exchange(body), (paired) => paired.body))

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

const as = (token: string, method: string, path: string, body?: unknown) =>
  ask(method, path, { as: null, headers: bearer(token), ...(body === undefined ? {} : { body }) })

const statusAs = (token: string, method: string, path: string, body?: unknown) =>
  Effect.map(as(token, method, path, body), ({ status }) => status)

describe("pairing", () => {
  for (const clientMode of ["desktop", "mobile", "PWA"]) {
    it.scopedLive(`lets a ${clientMode} client in, with the scopes that it was given`, () =>
      Effect.gen(function* () {
        const { body, made } = yield* pairing({ clientMode })
        assert.strictEqual(made.status, 201)
        assert.containsAllKeys(body.payload, [
          ...["clientId", "clientMode", "capabilities", "deviceId", "scopes", "role", "workspaceId"],
          ...["nonce", "timestamp", "signature"]
        ])
        const paired = yield* exchange(body)
        assert.strictEqual(paired.status, 201)
        const { deviceId, deviceSessionId, token } = paired.body
        assert.deepInclude(paired.body, { role: "agent", scopes: draft.scopes })
        assert.strictEqual(yield* statusAs(token, "GET", "/api/tasks"), 200)
        assert.strictEqual(yield* statusAs(token, "POST", "/api/tasks", { title: "T" }), 201)
        assert.strictEqual(yield* statusAs(token, "GET", "/api/settings/features"), 403)
        const status = (yield* as(token, "GET", "/api/auth/status")).body
        assert.deepInclude(status, {
          method: "device-session",
          deviceSessionId,
          deviceId,
          clientId: body.payload.clientId,
          clientMode: clientMode.toLowerCase(),
          capabilities: ["notifications"]
        })
        assert.notProperty(status, "degradedReason")
        const [listed] = (yield* ask("GET", inWorkspace("device-sessions"))).body
        assert.deepInclude(listed, { id: deviceSessionId, deviceName: "Ann's phone", status: "active" })
      }).pipe(Effect.provide(shared))
    )
  }

  it.scopedLive("happens once, for one of two at once too", () =>
    Effect.gen(function* () {
      const { body } = yield* pairing()
      const both = yield* Effect.all([exchange(body), exchange(body)], { concurrency: "unbounded" })
      assert.deepStrictEqual(both.map(({ status }) => status).sort(), [201, 401])
      assert.strictEqual((yield* exchange(body)).status, 401)
      assert.lengthOf((yield* ask("GET", inWorkspace("device-sessions"))).body, 1)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is refused when one letter of what was signed is another", () =>
    Effect.gen(function* () {
      const { body } = yield* pairing()
      const changed: ReadonlyArray<Record<string, unknown>> = [
        { role: "admin" },
        { scopes: ["admin:manage"] },
        { timestamp: "2020-01-01T00:00:00.000Z" },
        {
          signature: `${body.payload.signature.startsWith("A") ? "B" : "A"}${body.payload.signature.slice(1)}`
        }
      ]
      for (const change of changed) {
        const answer = yield* exchange({ ...body, payload: { ...body.payload, ...change } })
        assert.strictEqual(answer.status, 401, JSON.stringify(change))
      }
      assert.strictEqual((yield* exchange(body)).status, 201)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is over after five minutes", () =>
    Effect.gen(function* () {
      const { body, made } = yield* pairing()
      const lifetime = Date.parse(made.body.expiresAt) - Date.parse(body.payload.timestamp)
      assert.strictEqual(lifetime, 300_000)
      const storage = yield* Storage
      yield* storage.write(run(sql`UPDATE pairing_codes SET expires_at = created_at`))
      assert.strictEqual((yield* exchange(body)).status, 401)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is slowed down and audited when it fails, without the code", () =>
    Effect.gen(function* () {
      const { body } = yield* pairing()
      for (let attempt = 0; attempt < 5; attempt += 1) {
        assert.strictEqual((yield* exchange({ ...body, code: `GUESS-${attempt}` })).status, 401)
      }
      const slowed = yield* exchange(body)
      assert.strictEqual(slowed.status, 429)
      assert.isNotNull(slowed.headers.get("retry-after"))
      const failures = (yield* auditTrail).filter(({ action }) => action === "device.pairing.failed")
      assert.lengthOf(failures, 5)
      assert.deepInclude(failures[0], { actor: "anonymous", resourceId: body.payload.deviceId })
      assert.strictEqual(failures[0]?.details, '{"address":"127.0.0.1"}')
      assert.notInclude(JSON.stringify(failures), "GUESS")
      assert.notInclude(JSON.stringify(failures), body.code)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("leaves neither code nor token in storage", () =>
    Effect.gen(function* () {
      const { body } = yield* pairing()
      const { token } = (yield* exchange(body)).body
      const { select } = yield* Storage
      for (const table of ["pairing_codes", "device_sessions", "audit", "outbox"]) {
        const rows = JSON.stringify(yield* select((sql) => sql`SELECT * FROM ${sql(table)}`))
        assert.notInclude(rows, body.code, table)
        assert.notInclude(rows, token, table)
      }
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("takes the link, its fragment, or what stands in it", () =>
    Effect.gen(function* () {
      const withCode = ({
        body
      }: {
        readonly body: { readonly code: string; readonly payload: object }
      }) => ({
        payload: { ...body.payload, code: body.code }
      })
      const link = (yield* pairing()).made.body.link
      const fragment = new URL((yield* pairing()).made.body.link).hash.slice(1)
      for (const body of [{ payload: link }, { payload: fragment }, withCode(yield* pairing())]) {
        assert.strictEqual((yield* exchange(body)).status, 201)
        assert.strictEqual((yield* exchange(body)).status, 401)
      }
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("counts and audits an attempt with anything at all, but not an empty body", () =>
    Effect.gen(function* () {
      for (const body of [{}, { payload: 7 }, { code: ["x"] }]) {
        assert.strictEqual((yield* exchange(body)).status, 400)
      }
      const { body } = yield* pairing()
      const attempts = [
        { code: body.code },
        { payload: body.payload },
        { payload: "junk" },
        { code: "GUESS", payload: {} },
        { code: body.code, payload: { ...body.payload, role: "emperor" } }
      ]
      for (const attempt of attempts) {
        assert.strictEqual((yield* exchange(attempt)).status, 401, JSON.stringify(attempt))
      }
      assert.strictEqual((yield* exchange({ code: "GUESS" })).status, 429)
      const failures = (yield* auditTrail).filter(({ action }) => action === "device.pairing.failed")
      assert.lengthOf(failures, attempts.length)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is for admins to offer, and names what is wrong with the offer", () =>
    Effect.gen(function* () {
      const path = inWorkspace("device-pairing-codes")
      assert.strictEqual((yield* ask("POST", path, { as: "agent", body: draft })).status, 403)
      const wrong = yield* ask("POST", path, { body: { ...draft, capabilities: "x", clientMode: "car" } })
      assert.sameMembers(
        wrong.body.details.issues.map(({ path }: { readonly path: string }) => path),
        ["capabilities", "clientMode"]
      )
      assert.strictEqual((yield* ask("POST", path, { body: { ...draft, membershipId: "no" } })).status, 404)
    }).pipe(Effect.provide(shared))
  )
})

describe("a device session", () => {
  it.scopedLive("loses what its member loses, and says so", () =>
    Effect.gen(function* () {
      const invited = yield* ask("POST", inWorkspace("invitations"), {
        body: { email: "ann@example.com", role: "admin" }
      })
      const { membership } = (yield* ask("POST", "/api/auth/invitations/accept", {
        as: null,
        body: { token: invited.body.token, displayName: "Ann", email: "ann@example.com" }
      })).body
      const device = yield* pair({ membershipId: membership.id })
      const test = () => ask("POST", inWorkspace(`device-sessions/${device.deviceSessionId}/test`))
      const before = (yield* test()).body
      assert.deepInclude(before, { valid: true, status: "active", role: "agent" })
      assert.notProperty(before, "degradedReason")
      yield* ask("PATCH", inWorkspace(`members/${membership.id}`), { body: { role: "read-only" } })
      const after = (yield* test()).body
      assert.deepInclude(after, { valid: true, role: "read-only", permissions: ["task:read"] })
      assert.include(after.degradedReason, "task:write")
      assert.strictEqual(yield* statusAs(device.token, "POST", "/api/tasks", { title: "T" }), 403)
      const status = (yield* as(device.token, "GET", "/api/auth/status")).body
      assert.include(status.degradedReason, "task:write")
      yield* ask("DELETE", inWorkspace(`members/${membership.id}`))
      assert.strictEqual(yield* statusAs(device.token, "GET", "/api/tasks"), 401)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("ends when it is revoked, with its WebSocket", () =>
    Effect.gen(function* () {
      const device = yield* pair()
      const { baseUrl } = yield* World
      const listener = yield* listen(baseUrl, { headers: bearer(device.token) })
      const path = inWorkspace(`device-sessions/${device.deviceSessionId}`)
      const revoked = yield* ask("POST", `${path}/revoke`)
      assert.deepInclude(revoked.body, { status: "revoked" })
      assert.strictEqual((yield* listener.closed).code, 4401)
      assert.strictEqual(yield* statusAs(device.token, "GET", "/api/tasks"), 401)
      assert.deepInclude((yield* ask("POST", `${path}/test`)).body, { valid: false, status: "revoked" })
      assert.strictEqual((yield* ask("POST", `${path}/revoke`)).status, 200)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("opens the WebSocket of a page too, which can't send headers, until it is revoked", () =>
    Effect.gen(function* () {
      const device = yield* pair()
      const { baseUrl } = yield* World
      const path = `/ws?api_key=${device.token}`
      const listener = yield* listen(baseUrl, { path, headers: {} })
      yield* as(device.token, "POST", "/api/tasks", { title: "Sail" })
      assert.strictEqual((yield* listener.next).type, "task:updated")
      yield* ask("POST", inWorkspace(`device-sessions/${device.deviceSessionId}/revoke`))
      assert.strictEqual((yield* listener.closed).code, 4401)
      const refused = yield* Effect.flip(listen(baseUrl, { path, headers: {} }))
      assert.strictEqual(refused.status, 401)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("comes as a bearer token and not otherwise", () =>
    Effect.gen(function* () {
      const { token } = yield* pair()
      const read = (headers: Record<string, string>) =>
        Effect.map(ask("GET", "/api/tasks", { as: null, headers }), ({ status }) => status)
      assert.strictEqual(yield* read({ authorization: `bearer ${token}` }), 200)
      for (const headers of [
        { authorization: `Basic ${token}` },
        { authorization: token },
        { "x-api-key": token },
        { cookie: `service_session=${token}` },
        { authorization: `Bearer ${token}x` }
      ]) {
        assert.strictEqual(yield* read(headers), 401, JSON.stringify(Object.keys(headers)))
      }
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("of another workspace, or that there is not, is a 404", () =>
    Effect.gen(function* () {
      const { deviceSessionId } = yield* pair()
      for (const path of [
        inWorkspace("device-sessions/nope"),
        `/api/identity/workspaces/other/device-sessions/${deviceSessionId}`
      ]) {
        assert.strictEqual((yield* ask("POST", `${path}/test`)).status, 404)
        assert.strictEqual((yield* ask("POST", `${path}/revoke`)).status, 404)
      }
    }).pipe(Effect.provide(shared))
  )
})

describe("a denial on a route for admins", () => {
  it.scopedLive("is remembered although the server stops at once", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      yield* Effect.provide(ask("GET", "/api/auth/tokens", { as: "agent" }), worldIn(directory))
      const trail = yield* Effect.provide(auditTrail, worldIn(directory))
      assert.lengthOf(
        trail.filter(({ action }) => action === "permission.denied"),
        1
      )
    })
  )

  it.scopedLive("stands in the audit chain with who it was and what they wanted", () =>
    Effect.gen(function* () {
      for (let times = 0; times < 3; times += 1) yield* ask("GET", "/api/auth/tokens", { as: "agent" })
      yield* ask("POST", "/api/tasks", { as: "read-only", body: { title: "T" } })
      const denied = yield* Effect.repeat(
        Effect.map(auditTrail, (trail) => trail.filter(({ action }) => action === "permission.denied")),
        { until: (found) => found.length > 0 }
      )
      assert.lengthOf(denied, 1)
      assert.deepInclude(denied[0], { actor: "codex", resourceId: "GET /api/auth/tokens" })
    }).pipe(Effect.provide(world()))
  )
})
