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

  it.scopedLive("are for those who have a key", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* World
      const told = yield* cliWith({ SERVICE_API_URL: baseUrl, SERVICE_API_KEY: "wrong" }, "workspaces")
      assert.strictEqual(told.exitCode, 3)
    }).pipe(Effect.provide(world()))
  )
})
