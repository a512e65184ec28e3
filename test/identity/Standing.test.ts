import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { founderOf, Standing } from "../../src/identity/Standing.ts"
import { type ActorContext, actorOf } from "../../src/kernel/Actor.ts"
import { permissionsOf } from "../../src/kernel/Permission.ts"
import { ask } from "../support/Board.ts"
import { temporaryDirectory, type WorldOptions, world, worldIn } from "../support/World.ts"

/** What somebody who was here may do now. */
const left = (actor: ActorContext) =>
  Effect.flatMap(Standing, (standing) =>
    Effect.map(standing.now(founderOf(actor)), ({ permissions }) => [...permissions].sort())
  )

const all = (role: "admin" | "agent" | "read-only") => [...permissionsOf(role)].sort()

const key = (name: string, role: "admin" | "agent") => actorOf({ name, role, authMethod: "api-key" })

/** A member by invitation, as a session speaks for them. */
const member = (role: "admin" | "agent") =>
  Effect.gen(function* () {
    const { token } = yield* ask("POST", "/api/identity/workspaces/default/invitations", {
      as: "admin",
      body: { email: "ann@example.com", role }
    })
    const { membership } = yield* ask("POST", "/api/auth/invitations/accept", {
      as: null,
      body: { token, displayName: "Ann", email: "ann@example.com" }
    })
    const actor = actorOf({ name: "Ann", role, authMethod: "password-session" })
    return { membership, actor: { ...actor, userId: membership.userId } }
  })

const memberAt = (id: string) => `/api/identity/workspaces/default/members/${id}`

describe("what somebody may do who set something up earlier", () => {
  it.scopedLive("is what their key may do, as long as the environment has it", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const within = (keys: WorldOptions["auth"]) =>
        Effect.all([left(key("admin", "admin")), left(key("codex", "agent"))]).pipe(
          Effect.provide(worldIn(directory, { auth: { ...keys } }))
        )
      const secret = Redacted.make("another-key")
      assert.deepStrictEqual(yield* within({}), [all("admin"), all("agent")])
      const lowered = [{ name: "codex", key: secret, role: "read-only" as const }]
      const [, fewer] = yield* within({ apiKeys: lowered })
      assert.deepStrictEqual(fewer, all("read-only"))
      // A key that may more by now gives no more than it gave then.
      const [, same] = yield* within({ apiKeys: [{ name: "codex", key: secret, role: "admin" }] })
      assert.deepStrictEqual(same, all("agent"))
      const gone = yield* within({
        adminKey: undefined,
        apiKeys: [{ name: "x", key: secret, role: "admin" }]
      })
      assert.deepStrictEqual(gone, [[], []])
    })
  )

  it.scopedLive("is what their membership carries, whatever became of the session", () =>
    Effect.gen(function* () {
      const { actor, membership } = yield* member("agent")
      assert.deepStrictEqual(yield* left(actor), all("agent"))
      yield* ask("PATCH", memberAt(membership.id), { as: "admin", body: { role: "read-only" } })
      assert.deepStrictEqual(yield* left(actor), all("read-only"))
      yield* ask("DELETE", memberAt(membership.id), { as: "admin" })
      assert.deepStrictEqual(yield* left(actor), [])
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is nothing for those who were let in without a credential when that has ended", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(
        yield* left(actorOf({ name: "localhost", role: "admin", authMethod: "localhost-bypass" })),
        []
      )
      assert.deepStrictEqual(
        yield* left(actorOf({ name: "local", role: "admin", authMethod: "auth-disabled" })),
        []
      )
    }).pipe(Effect.provide(world()))
  )
})
