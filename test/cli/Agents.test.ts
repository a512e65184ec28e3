import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { ask } from "../support/Board.ts"
import { cli, cliAs, cliWith } from "../support/Cli.ts"
import { World, world } from "../support/World.ts"

const put = (...agents: ReadonlyArray<object>) =>
  ask("PUT", "/api/config/agents", { as: "admin", body: { agents } })

const register = (id: string) =>
  ask("POST", "/api/agents/register", { as: "admin", body: { id, name: `Agent ${id}` } })

describe("agents", () => {
  it.scopedLive("says how to have one while there is none", () =>
    Effect.gen(function* () {
      const told = yield* cli("agents")
      assert.strictEqual(told.exitCode, 0)
      assert.match(told.stdout, /^No agents\./)
      assert.deepStrictEqual((yield* cli("agents", "--json")).json(), { configured: [], registered: [] })
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("lists those that are configured and those that registered, each once, with its state", () =>
    Effect.gen(function* () {
      yield* put(
        { type: "near", name: "Near", provider: "command", enabled: true, command: "no-such-program" },
        { type: "off", name: "Off", provider: "gateway", enabled: false },
        { type: "both", name: "Both", provider: "gateway", enabled: true },
        { type: "calls", name: "Calls", provider: "gateway", enabled: true }
      )
      yield* register("both")
      yield* register("far")
      yield* ask("POST", "/api/agents/register/far/heartbeat", {
        as: "admin",
        body: { status: "busy", currentTaskId: "task_1" }
      })
      for (const as of ["agent", "admin", "read-only"] as const) {
        const { exitCode, stdout } = yield* cliAs(as, "agents")
        assert.strictEqual(exitCode, 0)
        const [head, ...rows] = stdout.split("\n").map((line) => line.trim().replace(/ {2,}/g, "|"))
        assert.strictEqual(head, "AGENT|RUN BY|NAME|STATE")
        assert.deepStrictEqual(rows, [
          "near|command|Near|unsupported: Its program is not on the server's PATH",
          "off|gateway|Off|switched off",
          "both|gateway|Both|online",
          "calls|gateway|Calls|ready",
          "far|registered|Agent far|busy with task_1"
        ])
      }
      const { configured, registered } = (yield* cli("agents", "--json")).json()
      assert.lengthOf(configured, 4)
      assert.deepStrictEqual(registered, yield* ask("GET", "/api/agents/register"))
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("are for those who have a key", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* World
      const told = yield* cliWith({ SERVICE_API_URL: baseUrl, SERVICE_API_KEY: "wrong" }, "agents")
      assert.strictEqual(told.exitCode, 3)
    }).pipe(Effect.provide(world()))
  )
})
