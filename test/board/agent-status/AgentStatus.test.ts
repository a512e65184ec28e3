import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { agentStatusBroadcast } from "../../../src/board/agent-status/AgentStatusBroadcast.ts"
import * as Outbox from "../../../src/storage/events/Outbox.ts"
import { Storage } from "../../../src/storage/Storage.ts"
import { sharedWorld } from "../../support/SharedWorld.ts"
import { steppedClock } from "../../support/SteppedClock.ts"
import { temporaryDirectory, World, world, worldIn } from "../../support/World.ts"

const shared = sharedWorld()

const busy = {
  status: "working",
  subAgentCount: 2,
  activeAgents: [
    { agent: "codex", status: "busy", taskTitle: "Docs" },
    { agent: "claude", status: "idle" }
  ]
}

describe("the agent status", () => {
  it.scopedLive("is idle until somebody reports", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const status = yield* request("GET", "/api/agent/status")
      assert.strictEqual(status.status, 200)
      assert.deepStrictEqual(status.body, { status: "idle", subAgentCount: 0, activeAgents: [] })
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is what was reported, the fields of a partial report merged in", () => {
    const clock = steppedClock()
    return Effect.gen(function* () {
      const { request } = yield* World
      yield* clock.step("1 hour")
      const reported = yield* request("POST", "/api/agent/status", { body: busy })
      assert.strictEqual(reported.status, 200)
      assert.deepStrictEqual(reported.body, { ...busy, updatedAt: "1970-01-01T01:00:00.000Z" })
      yield* clock.step("1 second")
      yield* request("POST", "/api/agent/status", { body: { status: "error" } })
      yield* request("POST", "/api/agent/status", { body: { activeAgents: [] } })
      const merged = { ...busy, status: "error", activeAgents: [], updatedAt: "1970-01-01T01:00:01.000Z" }
      assert.deepStrictEqual((yield* request("GET", "/api/v1/agent/status")).body, merged)
      yield* clock.step("1 second")
      const nothing = yield* request("POST", "/api/agent/status", { body: {} })
      assert.deepStrictEqual(nothing.body, merged, "an empty report changes nothing")
    }).pipe(Effect.provide(world().pipe(Layer.provide(clock.layer))))
  })

  it.scopedLive("has bounds", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const agent = { agent: "codex", status: "busy" }
      const invalid = [
        { status: 5 },
        { status: "" },
        { status: "x".repeat(65) },
        { subAgentCount: "x" },
        { subAgentCount: -1 },
        { subAgentCount: 1.5 },
        { activeAgents: "x" },
        { activeAgents: [{ agent: "codex" }] },
        { activeAgents: [{ status: "busy" }] },
        { activeAgents: [{ ...agent, taskTitle: 1 }] },
        { activeAgents: Array(101).fill(agent) }
      ]
      for (const body of invalid) {
        const refused = yield* request("POST", "/api/agent/status", { body })
        assert.strictEqual(refused.status, 400, JSON.stringify(body).slice(0, 100))
        assert.strictEqual(refused.body.code, "VALIDATION_ERROR")
      }
      const most = { status: "x".repeat(64), activeAgents: Array(100).fill(agent) }
      assert.strictEqual((yield* request("POST", "/api/agent/status", { body: most })).status, 200)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("keeps every field that was reported when reports come at once", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const reports = [{ status: "working" }, { subAgentCount: 2 }, { activeAgents: busy.activeAgents }]
      yield* Effect.forEach(reports, (body) => request("POST", "/api/agent/status", { body }), {
        concurrency: "unbounded"
      })
      const { updatedAt: _, ...status } = (yield* request("GET", "/api/agent/status")).body
      assert.deepStrictEqual(status, busy)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("holds no secret", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const secret = `ghp_${"a1B2".repeat(9)}`
      const body = {
        status: secret,
        activeAgents: [{ agent: secret, status: secret, taskTitle: `use ${secret}` }]
      }
      yield* request("POST", "/api/agent/status", { body })
      const status = (yield* request("GET", "/api/agent/status")).body
      assert.deepStrictEqual(status.activeAgents, [
        { agent: "[REDACTED]", status: "[REDACTED]", taskTitle: "use [REDACTED]" }
      ])
      assert.strictEqual(status.status, "[REDACTED]")
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("is read by all and reported by agents and admins", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      for (const as of ["read-only", "agent", "admin"] as const) {
        assert.strictEqual((yield* request("GET", "/api/agent/status", { as })).status, 200)
      }
      for (const path of ["/api/agent/status", "/api/agent/status/delegation-violation"]) {
        const body = { agent: "codex" }
        const refused = yield* request("POST", path, { as: "read-only", body })
        assert.strictEqual(refused.status, 403)
        assert.strictEqual(refused.body.code, "PERMISSION_DENIED")
        assert.strictEqual((yield* request("POST", path, { as: null, body })).status, 401)
        for (const as of ["agent", "admin"] as const) {
          assert.strictEqual((yield* request("POST", path, { as, body })).status, 200)
        }
      }
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("is still known after a restart", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const reported = yield* Effect.flatMap(World, ({ request }) =>
        request("POST", "/api/agent/status", { body: busy })
      ).pipe(Effect.provide(worldIn(directory)))
      const after = yield* Effect.flatMap(World, ({ request }) => request("GET", "/api/agent/status")).pipe(
        Effect.provide(worldIn(directory))
      )
      assert.deepStrictEqual(after.body, reported.body)
    })
  )

  it.scopedLive("goes to the live stream as it is now", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const storage = yield* Storage
      yield* request("POST", "/api/agent/status", { body: {} })
      assert.deepStrictEqual(yield* storage.read(Outbox.after(0, 10)), [])
      yield* request("POST", "/api/agent/status", { body: busy })
      const [event, ...others] = yield* storage.read(Outbox.after(0, 10))
      assert.deepStrictEqual(others, [])
      assert.strictEqual(event?.resource, "agent-status")
      assert.strictEqual(agentStatusBroadcast.resource, "agent-status")
      if (event === undefined) return
      assert.deepStrictEqual(yield* storage.read(agentStatusBroadcast.render(event)), {
        message: { type: "agent:status", status: "working", activeAgents: busy.activeAgents }
      })
    }).pipe(Effect.provide(world()))
  )
})
