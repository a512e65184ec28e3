import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { ask } from "../support/Board.ts"
import { cli, cliAs } from "../support/Cli.ts"
import { World, world } from "../support/World.ts"

describe("pair", () => {
  it.scopedLive("gives the link that lets a device in, with what it may do there", () =>
    Effect.gen(function* () {
      const ran = yield* cliAs("admin", "pair", "Kitchen", "tablet", "--mode", "pwa", "--scope", "task:read")
      assert.deepStrictEqual([ran.exitCode, ran.stderr], [0, ""])
      const payload = /^Link: (\S+)$/m.exec(ran.stdout)?.[1]
      const code = /^Code: ([0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4})$/m.exec(ran.stdout)?.[1]
      const paired = yield* ask("POST", "/api/auth/device-pairing/exchange", {
        as: null,
        body: { payload, code }
      })
      assert.deepInclude(paired, { role: "agent", scopes: ["task:read"] })
      const { request } = yield* World
      const headers = { authorization: `Bearer ${paired.token}` }
      assert.strictEqual((yield* request("GET", "/api/tasks", { as: null, headers })).status, 200)
      const [device] = yield* ask("GET", "/api/identity/workspaces/default/device-sessions", { as: "admin" })
      assert.deepInclude(device, { deviceName: "Kitchen tablet", clientMode: "pwa" })
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("answers a program with the pairing code as the server made it", () =>
    Effect.gen(function* () {
      const json = (yield* cliAs("admin", "pair", "Board", "--role", "read-only", "--json")).json()
      assert.hasAllKeys(json, ["code", "link", "expiresAt", "deviceId", "role", "scopes"])
      assert.strictEqual(json.role, "read-only")
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is for admins, and knows modes and permissions", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* cli("pair", "Board")).exitCode, 3)
      assert.strictEqual((yield* cliAs("admin", "pair", "Board", "--mode", "car")).exitCode, 2)
      assert.strictEqual((yield* cliAs("admin", "pair", "Board", "--scope", "everything")).exitCode, 2)
      assert.strictEqual((yield* cliAs("admin", "pair")).exitCode, 2)
      assert.strictEqual((yield* cliAs("admin", "pair", "Board", "--workspace", "nowhere")).exitCode, 4)
    }).pipe(Effect.provide(world()))
  )
})
