import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Principals } from "../../src/identity/principals/Principals.ts"
import { permissionsOf } from "../../src/kernel/Permission.ts"
import { run, sql } from "../../src/storage/Sql.ts"
import { Storage } from "../../src/storage/Storage.ts"
import { sharedWorld } from "../support/SharedWorld.ts"
import { listen } from "../support/Socket.ts"
import { type RequestOptions, temporaryDirectory, World, world, worldIn } from "../support/World.ts"

const shared = sharedWorld()

const ask = (method: string, path: string, options: RequestOptions = {}) =>
  Effect.flatMap(World, ({ request }) => request(method, path, { as: "admin", ...options }))

const create = (body: Record<string, unknown>) => ask("POST", "/api/auth/tokens", { body })

const as = (token: string, method: string, path: string, body?: unknown) =>
  Effect.map(
    ask(method, path, { as: null, headers: { "x-api-key": token }, ...(body === undefined ? {} : { body }) }),
    ({ status }) => status
  )

/** A member with a role, by invitation. */
const member = (email: string, role: string) =>
  Effect.gen(function* () {
    const { body } = yield* ask("POST", "/api/identity/workspaces/default/invitations", {
      body: { email, role }
    })
    const joined = yield* ask("POST", "/api/auth/invitations/accept", {
      as: null,
      body: { token: body.token, displayName: email, email }
    })
    return joined.body.membership as { readonly id: string; readonly userId: string }
  })

describe("an API token", () => {
  it.scopedLive("opens what its scopes say, is named in what it writes, and is shown once", () =>
    Effect.gen(function* () {
      const made = yield* create({
        name: "CI",
        role: "agent",
        scopes: ["task:read", "task:write", "admin:manage"]
      })
      assert.strictEqual(made.status, 201)
      assert.deepStrictEqual(made.body.scopes, ["task:read", "task:write"])
      const { token } = made.body
      assert.strictEqual(yield* as(token, "GET", "/api/tasks"), 200)
      assert.strictEqual(yield* as(token, "POST", "/api/tasks", { title: "By a token" }), 201)
      assert.strictEqual(yield* as(token, "GET", "/api/settings/features"), 403)
      const [task] = (yield* ask("GET", "/api/tasks")).body.tasks
      assert.strictEqual(task.createdBy, "CI")
      const list = yield* ask("GET", "/api/auth/tokens")
      assert.notInclude(JSON.stringify(list.body), token)
      const { select } = yield* Storage
      const rows = yield* select((sql) => sql`SELECT * FROM api_tokens`)
      assert.notInclude(JSON.stringify(rows), token)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive(
    "carries agent:write beyond the role agent when an administrator names it, and hands on none",
    () =>
      Effect.gen(function* () {
        const asked = { name: "lead", role: "agent", scopes: ["agent:read", "agent:write"] }
        const made = yield* create(asked)
        assert.deepStrictEqual(made.body.scopes, asked.scopes)
        assert.notInclude((yield* create({ name: "CI", role: "agent" })).body.scopes, "agent:write")
        assert.deepStrictEqual((yield* create({ ...asked, role: "read-only" })).body.scopes, ["agent:read"])
        assert.strictEqual(yield* as(made.body.token, "POST", "/api/auth/tokens", asked), 403)
        assert.strictEqual(yield* as("agent-key", "POST", "/api/auth/tokens", asked), 403)
        const narrow = yield* create({
          name: "narrow",
          role: "admin",
          scopes: ["admin:manage", "agent:read"]
        })
        const refused = yield* ask("POST", "/api/auth/tokens", {
          as: null,
          headers: { "x-api-key": narrow.body.token },
          body: asked
        })
        assert.deepStrictEqual([refused.status, refused.body.details.missing], [403, ["agent:write"]])
      }).pipe(Effect.provide(shared))
  )

  it.scopedLive("ends when it is revoked, for its open WebSocket too, and stays ended", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const token = yield* Effect.gen(function* () {
        const { baseUrl } = yield* World
        const { body } = yield* create({ name: "CI", role: "agent" })
        const listener = yield* listen(baseUrl, { headers: { "x-api-key": body.token } })
        assert.strictEqual((yield* ask("DELETE", `/api/auth/tokens/${body.id}`)).status, 204)
        assert.strictEqual((yield* listener.closed).code, 4401)
        assert.strictEqual(yield* as(body.token, "GET", "/api/tasks"), 401)
        assert.strictEqual((yield* ask("DELETE", `/api/auth/tokens/${body.id}`)).status, 404)
        return String(body.token)
      }).pipe(Effect.provide(worldIn(directory)))
      assert.strictEqual(yield* Effect.provide(as(token, "GET", "/api/tasks"), worldIn(directory)), 401)
    })
  )

  it.scopedLive("ends in the future, and then opens nothing", () =>
    Effect.gen(function* () {
      const past = yield* create({ name: "CI", role: "agent", expiresAt: "2020-01-01T00:00:00Z" })
      assert.strictEqual(past.status, 400)
      assert.strictEqual(past.body.details.issues[0].path, "expiresAt")
      const { body } = yield* create({ name: "CI", role: "agent", expiresAt: "2999-01-01T00:00:00Z" })
      assert.strictEqual(body.expiresAt, "2999-01-01T00:00:00.000Z")
      assert.strictEqual(yield* as(body.token, "GET", "/api/tasks"), 200)
      const storage = yield* Storage
      const principals = yield* Principals
      yield* storage.write(run(sql`UPDATE api_tokens SET expires_at = created_at`))
      yield* principals.refresh
      assert.strictEqual(yield* as(body.token, "GET", "/api/tasks"), 401)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is worth what its member is worth, and ends with the membership", () =>
    Effect.gen(function* () {
      const { id } = yield* member("ann@example.com", "agent")
      const { body } = yield* create({ name: "Ann's", role: "admin", membershipId: id })
      assert.strictEqual(body.role, "agent")
      assert.strictEqual(yield* as(body.token, "POST", "/api/tasks", { title: "T" }), 201)
      const path = `/api/identity/workspaces/default/members/${id}`
      yield* ask("PATCH", path, { body: { role: "read-only" } })
      assert.strictEqual(yield* as(body.token, "GET", "/api/tasks"), 200)
      assert.strictEqual(yield* as(body.token, "POST", "/api/tasks", { title: "T" }), 403)
      assert.strictEqual((yield* ask("DELETE", path)).status, 204)
      assert.strictEqual(yield* as(body.token, "GET", "/api/tasks"), 401)
      yield* member("ann@example.com", "agent")
      assert.strictEqual(yield* as(body.token, "GET", "/api/tasks"), 401)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("is made by admins alone, of known scopes, for members that there are", () =>
    Effect.gen(function* () {
      const agent = yield* ask("POST", "/api/auth/tokens", {
        as: "agent",
        body: { name: "x", role: "agent" }
      })
      assert.strictEqual(agent.status, 403)
      assert.strictEqual((yield* create({ name: "x", role: "agent", scopes: ["everything"] })).status, 400)
      assert.strictEqual((yield* create({ name: "x", role: "agent", membershipId: "nobody" })).status, 404)
      assert.strictEqual((yield* create({ name: "x", role: "agent", workspaceId: "nowhere" })).status, 404)
    }).pipe(Effect.provide(shared))
  )
})

describe("what somebody hands out", () => {
  const inWorkspace = (path: string) => `/api/identity/workspaces/default/${path}`

  /** Asks as the bearer of a token of these scopes, which only an admin can have made. */
  const holder = (role: string, scopes: ReadonlyArray<string>) =>
    Effect.map(
      create({ name: "Holder", role, scopes }),
      ({ body }) =>
        (method: string, path: string, sent: object) =>
          ask(method, path, { as: null, headers: { "x-api-key": body.token }, body: sent })
    )

  const device = { deviceName: "Phone", clientMode: "mobile" }

  it.scopedLive("is no more than they hold: tokens, devices, invitations and roles", () =>
    Effect.gen(function* () {
      const { id } = yield* member("ann@example.com", "read-only")
      const narrow = yield* holder("admin", ["admin:manage", "task:read"])
      const wider: ReadonlyArray<readonly [string, string, object]> = [
        ["POST", "/api/auth/tokens", { name: "x", role: "admin" }],
        ["POST", "/api/auth/tokens", { name: "x", role: "admin", scopes: ["admin:manage", "task:write"] }],
        ["POST", "/api/auth/tokens", { name: "x", role: "agent" }],
        ["POST", "/api/auth/tokens", { name: "x", role: "read-only", membershipId: id }],
        ["POST", inWorkspace("device-pairing-codes"), { ...device, role: "admin" }],
        ["POST", inWorkspace("device-pairing-codes"), { ...device, role: "agent", scopes: ["task:write"] }],
        ["POST", inWorkspace("invitations"), { email: "eve@example.com", role: "admin" }],
        ["POST", inWorkspace("invitations"), { email: "eve@example.com", role: "read-only" }],
        ["PATCH", inWorkspace(`members/${id}`), { role: "admin" }],
        ["PATCH", inWorkspace(`members/${id}`), { role: "agent" }]
      ]
      for (const [method, path, body] of wider) {
        const answer = yield* narrow(method, path, body)
        assert.strictEqual(answer.status, 403, JSON.stringify([path, body]))
        assert.strictEqual(answer.body.code, "PERMISSION_DENIED")
        assert.notInclude(answer.body.details.missing, "admin:manage")
        assert.notInclude(answer.body.details.missing, "task:read")
        assert.isNotEmpty(answer.body.details.missing)
      }
      assert.lengthOf((yield* ask("GET", "/api/auth/tokens")).body, 1)
      assert.lengthOf((yield* ask("GET", inWorkspace("invitations"))).body, 1)
      const within: ReadonlyArray<readonly [string, string, object]> = [
        ["POST", "/api/auth/tokens", { name: "x", role: "admin", scopes: ["admin:manage", "task:read"] }],
        ["POST", "/api/auth/tokens", { name: "x", role: "read-only", scopes: ["task:read", "task:write"] }],
        ["POST", inWorkspace("device-pairing-codes"), { ...device, role: "agent", scopes: ["task:read"] }]
      ]
      for (const [method, path, body] of within) {
        assert.strictEqual((yield* narrow(method, path, body)).status, 201, JSON.stringify([path, body]))
      }
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is all of a role for whoever holds all of it, and a role may be lowered by less", () =>
    Effect.gen(function* () {
      const { id } = yield* member("dora@example.com", "admin")
      const whole = yield* holder("admin", [...permissionsOf("admin")])
      assert.strictEqual((yield* whole("POST", "/api/auth/tokens", { name: "x", role: "admin" })).status, 201)
      const invited = yield* whole("POST", inWorkspace("invitations"), {
        email: "bob@example.com",
        role: "admin"
      })
      assert.strictEqual(invited.status, 201)
      const narrow = yield* holder("admin", ["admin:manage"])
      const lowered = yield* narrow("PATCH", inWorkspace(`members/${id}`), { role: "read-only" })
      assert.strictEqual(lowered.status, 200)
      const raised = yield* narrow("PATCH", inWorkspace(`members/${id}`), { role: "admin" })
      assert.strictEqual(raised.status, 403)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("shrinks with what its maker lost: a lowered admin hands nothing out", () =>
    Effect.gen(function* () {
      const { id } = yield* member("emma@example.com", "admin")
      const { body } = yield* create({ name: "Ann's", role: "admin", membershipId: id })
      yield* ask("PATCH", inWorkspace(`members/${id}`), { body: { role: "agent" } })
      const made = yield* as(body.token, "POST", "/api/auth/tokens", { name: "x", role: "read-only" })
      assert.strictEqual(made, 403)
    }).pipe(Effect.provide(shared))
  )
})
