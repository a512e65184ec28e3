import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { Principals } from "../../src/identity/principals/Principals.ts"
import { run, sql } from "../../src/storage/Sql.ts"
import { Storage } from "../../src/storage/Storage.ts"
import { sharedWorld } from "../support/SharedWorld.ts"
import { type RequestOptions, temporaryDirectory, World, world, worldIn } from "../support/World.ts"

const shared = sharedWorld()

const ask = (method: string, path: string, options: RequestOptions = {}) =>
  Effect.flatMap(World, ({ request }) => request(method, path, { as: "admin", ...options }))

const inWorkspace = (path: string) => `/api/identity/workspaces/default/${path}`

const invite = (email: string, role = "agent") =>
  ask("POST", inWorkspace("invitations"), { body: { email, role } })

const accept = (token: string, email: string, displayName = "Ann") =>
  ask("POST", "/api/auth/invitations/accept", { as: null, body: { token, email, displayName } })

const members = Effect.map(ask("GET", inWorkspace("members")), ({ body }) => body)

describe("the workspaces", () => {
  it.scopedLive(
    "begin with the default one, to which the owner belongs and every key of the environment",
    () =>
      Effect.gen(function* () {
        const { body } = yield* ask("GET", "/api/identity/workspaces", { as: "agent" })
        assert.lengthOf(body, 1)
        assert.deepInclude(body[0], { id: "default", role: "agent" })
        assert.deepStrictEqual(
          (yield* members).map(({ userId, role }: Record<string, string>) => [userId, role]),
          [["owner", "admin"]]
        )
        assert.strictEqual((yield* ask("GET", "/api/identity/workspaces/nowhere/members")).status, 404)
      }).pipe(Effect.provide(world()))
  )

  it.scopedLive("are switched to by those who belong there", () =>
    Effect.gen(function* () {
      const change = (workspaceId: string) =>
        ask("POST", "/api/identity/workspaces/switch", { as: "read-only", body: { workspaceId } })
      assert.deepInclude((yield* change("default")).body, { workspaceId: "default", role: "read-only" })
      assert.strictEqual((yield* change("nowhere")).status, 404)
      const storage = yield* Storage
      yield* storage.write(
        run(sql`INSERT INTO workspaces (id, name, created_at) VALUES ('other', 'Other', 0)`)
      )
      const foreign = yield* change("other")
      assert.strictEqual(foreign.status, 403)
      assert.strictEqual(foreign.body.code, "PERMISSION_DENIED")
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("keep to themselves: a member of another one sees neither who is here nor the board", () =>
    Effect.gen(function* () {
      const { body } = yield* ask("POST", "/api/auth/tokens", { body: { name: "CI", role: "admin" } })
      const { write } = yield* Storage
      yield* write(
        Effect.all([
          run(sql`INSERT INTO workspaces (id, name, created_at) VALUES ('another', 'Another', 0)`),
          run(
            sql`
              INSERT INTO users (id, display_name, created_at) VALUES ('user_eve', 'Eve', 0)`
          ),
          run(
            sql`
              INSERT INTO memberships (id, workspace_id, user_id, role, active, created_at, updated_at)
              VALUES ('elsewhere', 'another', 'user_eve', 'admin', 1, 0, 0)`
          ),
          run(sql`UPDATE api_tokens SET membership_id = 'elsewhere' WHERE id = ${body.id}`)
        ])
      )
      yield* Effect.flatMap(Principals, ({ refresh }) => refresh)
      const asEve = (path: string) =>
        ask("GET", path, { as: null, headers: { "x-api-key": String(body.token) } })
      assert.lengthOf((yield* asEve("/api/identity/workspaces/another/members")).body, 1)
      assert.strictEqual((yield* asEve(inWorkspace("members"))).status, 404)
      for (const path of ["/api/tasks", "/api/auth/tokens", "/api/audit"]) {
        assert.strictEqual((yield* asEve(path)).status, 403)
      }
      const status = (yield* asEve("/api/auth/status")).body
      assert.deepInclude(status, { workspaceId: "another", permissions: ["workspace:read"] })
      assert.include(status.degradedReason, "workspace default")
    }).pipe(Effect.provide(shared))
  )
})

describe("an invitation", () => {
  it.scopedLive("makes somebody a member, once, by the address that was invited", () =>
    Effect.gen(function* () {
      const invited = yield* invite("Ann@Example.com")
      assert.strictEqual(invited.status, 201)
      const { id, token } = invited.body
      const list = (yield* ask("GET", inWorkspace("invitations"))).body
      assert.deepInclude(list[0], { id, email: "Ann@Example.com", role: "agent", status: "pending" })
      assert.notProperty(list[0], "token")
      const other = yield* accept(token, "bob@example.com")
      assert.strictEqual(other.status, 403)
      const joined = yield* accept(token, "ann@example.COM")
      assert.strictEqual(joined.status, 201)
      assert.deepInclude(joined.body.user, { displayName: "Ann" })
      assert.deepInclude(joined.body.membership, { workspaceId: "default", role: "agent" })
      assert.isUndefined(joined.headers.get("set-cookie") ?? undefined)
      const again = yield* accept(token, "ann@example.com")
      assert.strictEqual(again.status, 409)
      assert.deepInclude(again.body.details, { status: "accepted" })
      assert.lengthOf(yield* members, 2)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is accepted by one of two at once", () =>
    Effect.gen(function* () {
      const before = (yield* members).length
      const { token } = (yield* invite("bea@example.com")).body
      const both = yield* Effect.all([accept(token, "bea@example.com"), accept(token, "bea@example.com")], {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(both.map(({ status }) => status).sort(), [201, 409])
      assert.lengthOf(yield* members, before + 1)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("is taken back, and an unknown one is a 404", () =>
    Effect.gen(function* () {
      const { id, token } = (yield* invite("ann@example.com")).body
      const revoke = ask("POST", `/api/identity/invitations/${id}/revoke`)
      assert.strictEqual((yield* revoke).body.status, "revoked")
      assert.strictEqual((yield* revoke).status, 409)
      assert.deepInclude((yield* accept(token, "ann@example.com")).body.details, { status: "revoked" })
      assert.strictEqual((yield* accept("muster_invite_nope", "ann@example.com")).status, 404)
      assert.strictEqual((yield* ask("POST", "/api/identity/invitations/nope/revoke")).status, 404)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("expires after seven days", () =>
    Effect.gen(function* () {
      const { createdAt, expiresAt, token } = (yield* invite("ann@example.com")).body
      assert.strictEqual(Date.parse(expiresAt) - Date.parse(createdAt), 7 * 86_400_000)
      const storage = yield* Storage
      yield* storage.write(run(sql`UPDATE invitations SET expires_at = created_at`))
      assert.deepInclude((yield* accept(token, "ann@example.com")).body.details, { status: "expired" })
      assert.strictEqual((yield* ask("GET", inWorkspace("invitations"))).body[0].status, "expired")
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is stored as a hash, and guessing is slowed down", () =>
    Effect.gen(function* () {
      const { token } = (yield* invite("ann@example.com")).body
      const { select } = yield* Storage
      assert.notInclude(JSON.stringify(yield* select((sql) => sql`SELECT * FROM invitations`)), token)
      for (let attempt = 0; attempt < 5; attempt += 1) yield* accept(`guess ${attempt}`, "ann@example.com")
      const slowed = yield* accept(token, "ann@example.com")
      assert.strictEqual(slowed.status, 429)
      assert.isNotNull(slowed.headers.get("retry-after"))
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("names what is wrong with it", () =>
    Effect.gen(function* () {
      const wrong = yield* invite("not an address", "emperor")
      assert.sameMembers(
        wrong.body.details.issues.map(({ path }: { readonly path: string }) => path),
        ["email", "role"]
      )
      const bare = yield* ask("POST", "/api/auth/invitations/accept", { as: null, body: {} })
      assert.strictEqual(bare.status, 400)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("can't be accepted by a key of the environment, which is no person", () =>
    Effect.gen(function* () {
      const { token } = (yield* invite("cleo@example.com")).body
      const answer = yield* ask("POST", "/api/identity/invitations/accept", { as: "agent", body: { token } })
      assert.strictEqual(answer.status, 409)
    }).pipe(Effect.provide(shared))
  )
})

describe("the last admin", () => {
  it.scopedLive("stays admin, and stays", () =>
    Effect.gen(function* () {
      const path = inWorkspace("members/member_owner")
      const lowered = yield* ask("PATCH", path, { body: { role: "agent" } })
      assert.strictEqual(lowered.status, 409)
      assert.strictEqual((yield* ask("DELETE", path)).status, 409)
      assert.strictEqual((yield* members)[0].role, "admin")
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is one of two that step down at once", () =>
    Effect.gen(function* () {
      const { token } = (yield* invite("ann@example.com", "admin")).body
      const { membership } = (yield* accept(token, "ann@example.com")).body
      const both = yield* Effect.all(
        ["member_owner", membership.id].map((id) =>
          ask("PATCH", inWorkspace(`members/${id}`), { body: { role: "agent" } })
        ),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(both.map(({ status }) => status).sort(), [200, 409])
    }).pipe(Effect.provide(world()))
  )
})

describe("a profile", () => {
  it.scopedLive("says who somebody is and where they belong", () =>
    Effect.gen(function* () {
      const key = (yield* ask("GET", "/api/identity/profile", { as: "agent" })).body
      assert.deepInclude(key, { name: "codex", role: "agent", actorType: "agent", memberships: [] })
      const { token } = (yield* invite("ann@example.com")).body
      const { membership } = (yield* accept(token, "ann@example.com")).body
      const made = yield* ask("POST", "/api/auth/tokens", {
        body: { name: "Ann's script", role: "agent", membershipId: membership.id }
      })
      const ann = yield* ask("GET", "/api/identity/profile", {
        as: null,
        headers: { "x-api-key": made.body.token }
      })
      assert.deepInclude(ann.body, { name: "Ann", email: "ann@example.com", role: "agent" })
      assert.deepInclude(ann.body.memberships[0], { id: membership.id, role: "agent" })
    }).pipe(Effect.provide(shared))
  )
})

describe("a key of the environment", () => {
  const setup = ask("POST", "/api/auth/setup", {
    body: { password: "correct horse battery", email: "olga@example.com" }
  })

  /** What an admin key is for. Each must go, whatever became of the owner. */
  const works = Effect.gen(function* () {
    const token = yield* ask("POST", "/api/auth/tokens", { body: { name: "CI", role: "admin" } })
    assert.deepInclude(token.body, { role: "admin" }, JSON.stringify(token.body))
    const paired = yield* ask("POST", inWorkspace("device-pairing-codes"), {
      body: { deviceName: "Phone", clientMode: "mobile", role: "agent" }
    })
    assert.strictEqual(paired.status, 201)
    const headers = { "x-api-key": String(token.body.token) }
    assert.strictEqual(
      (yield* ask("POST", "/api/tasks", { as: null, headers, body: { title: "T" } })).status,
      201
    )
    for (const as of ["admin", "agent"] as const) {
      assert.strictEqual((yield* ask("POST", "/api/tasks", { as, body: { title: "T" } })).status, 201)
      const profile = (yield* ask("GET", "/api/identity/profile", { as })).body
      assert.deepInclude(profile, { workspaceId: "default", memberships: [] })
    }
    return String(token.body.membershipId)
  })

  it.scopedLive("is the operator's: it works on when the owner was lowered, has left, and came back", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const restarted = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
        Effect.provide(effect, worldIn(directory))
      const ann = yield* Effect.gen(function* () {
        yield* setup
        assert.strictEqual(yield* works, "member_owner")
        const { token } = (yield* invite("ann@example.com", "admin")).body
        const { membership } = (yield* accept(token, "ann@example.com")).body
        yield* ask("PATCH", inWorkspace("members/member_owner"), { body: { role: "read-only" } })
        assert.strictEqual(yield* works, membership.id)
        yield* ask("DELETE", inWorkspace("members/member_owner"))
        assert.strictEqual(yield* works, membership.id)
        return String(membership.id)
      }).pipe(restarted)
      const back = yield* Effect.gen(function* () {
        assert.strictEqual(yield* works, ann)
        const { token } = (yield* invite("olga@example.com", "admin")).body
        const { membership } = (yield* accept(token, "olga@example.com")).body
        assert.strictEqual(membership.userId, "owner")
        assert.strictEqual(yield* works, membership.id)
        return String(membership.id)
      }).pipe(restarted)
      assert.strictEqual(yield* restarted(works), back)
    })
  )

  it.scopedLive("is nobody in person, whatever it is called", () =>
    Effect.gen(function* () {
      const headers = { "x-api-key": "a-key-of-an-agent" }
      const asKey = (method: string, path: string, body?: object) =>
        ask(method, path, { as: null, headers, ...(body === undefined ? {} : { body }) })
      const profile = (yield* asKey("GET", "/api/identity/profile")).body
      assert.deepInclude(profile, { name: "owner", email: null, role: "agent", memberships: [] })
      assert.strictEqual((yield* asKey("GET", "/api/identity/workspaces")).body[0].role, "agent")
      const { token } = (yield* invite("ann@example.com")).body
      assert.strictEqual((yield* asKey("POST", "/api/identity/invitations/accept", { token })).status, 409)
    }).pipe(
      Effect.provide(
        world({
          auth: { apiKeys: [{ name: "owner", key: Redacted.make("a-key-of-an-agent"), role: "agent" }] }
        })
      )
    )
  )
})
