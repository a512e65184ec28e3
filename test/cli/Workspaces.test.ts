import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { ask } from "../support/Board.ts"
import { cli, cliAs, cliWith } from "../support/Cli.ts"
import { World, world } from "../support/World.ts"

describe("workspaces", () => {
  it.scopedLive("lists the workspaces with the role in each", () =>
    Effect.gen(function* () {
      const known = yield* ask("GET", "/api/identity/workspaces")
      const json = yield* cli("workspaces", "--json")
      assert.deepStrictEqual([json.exitCode, json.json()], [0, known])
      for (const as of ["agent", "admin", "read-only"] as const) {
        const { exitCode, stdout } = yield* cliAs(as, "workspaces")
        assert.strictEqual(exitCode, 0)
        const [head, first = ""] = stdout.split("\n")
        assert.match(head ?? "", /^ID +ROLE +NAME$/)
        assert.match(first, new RegExp(`^default +${as} +\\S`))
      }
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("show who belongs to one, and invite others into it", () =>
    Effect.gen(function* () {
      const invited = yield* cliAs("admin", "workspaces", "invite", "ann@example.com", "--role", "read-only")
      assert.strictEqual(invited.exitCode, 0)
      assert.include(invited.stdout, "Invited ann@example.com as read-only")
      const token = /muster_invite_\S+/.exec(invited.stdout)?.[0]
      yield* ask("POST", "/api/auth/invitations/accept", {
        as: null,
        body: { token, displayName: "Ann", email: "ann@example.com" }
      })
      const members = yield* cli("workspaces", "members")
      assert.match(members.stdout, /member_\w+ +read-only +Ann +ann@example\.com/)
      const json = yield* cli("workspaces", "members", "--json")
      assert.deepStrictEqual(json.json(), yield* ask("GET", "/api/identity/workspaces/default/members"))
      assert.strictEqual((yield* cli("workspaces", "members", "--workspace", "nowhere")).exitCode, 4)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("are invited into by admins, at addresses", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* cli("workspaces", "invite", "ann@example.com")).exitCode, 3)
      assert.strictEqual((yield* cliAs("admin", "workspaces", "invite", "nobody")).exitCode, 2)
      const json = yield* cliAs("admin", "workspaces", "invite", "ann@example.com", "--json")
      assert.deepInclude(json.json(), { email: "ann@example.com", role: "agent", status: "pending" })
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("are chosen by those who belong there", () =>
    Effect.gen(function* () {
      const chosen = yield* cli("workspaces", "switch", "default")
      assert.deepStrictEqual([chosen.exitCode, chosen.stdout], [0, "Chose default: codex is agent there"])
      assert.deepInclude((yield* cli("workspaces", "switch", "default", "--json")).json(), {
        workspaceId: "default"
      })
      assert.strictEqual((yield* cli("workspaces", "switch", "nowhere")).exitCode, 4)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("are for those who have a key", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* World
      const told = yield* cliWith({ SERVICE_API_URL: baseUrl, SERVICE_API_KEY: "wrong" }, "workspaces")
      assert.strictEqual(told.exitCode, 3)
    }).pipe(Effect.provide(world()))
  )
})
