import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Layer } from "effect"
import { Circuits } from "../../../src/kernel/outbound/Circuits.ts"
import { listen } from "../../support/Socket.ts"
import { steppedClock } from "../../support/SteppedClock.ts"
import { temporaryDirectory, World, world, worldIn } from "../../support/World.ts"

const key = "tracker:github"
const reason = "GitHub is down"

const admin = (method: string, path: string, body?: unknown) =>
  Effect.flatMap(World, ({ request }) =>
    request(method, path, { as: "admin", ...(body === undefined ? {} : { body }) })
  )

const circuits = (action: string) => `/health/dependency-circuits/${key}/${action}`
const deep = Effect.map(admin("GET", "/health/deep"), ({ body }) => body)

/** Calls over the circuit, with an outcome. */
const calls = (outcome: "ok" | "timeout") =>
  Effect.flatMap(Circuits, ({ protect }) =>
    Effect.exit(protect<void, never>(key, () => (outcome === "ok" ? undefined : outcome))(Effect.void))
  )

const openTheCircuit = Effect.repeatN(calls("timeout"), 4)

describe("deep health", () => {
  it.scopedLive("answers at every prefix of health, to admins alone", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      for (const path of ["/health/deep", "/api/health/deep", "/api/v1/health/deep"]) {
        assert.strictEqual((yield* request("GET", path, { as: null })).status, 401)
        assert.strictEqual((yield* request("GET", path)).status, 403)
        assert.strictEqual((yield* request("GET", path, { as: "read-only" })).status, 403)
        const { body, status } = yield* request("GET", path, { as: "admin" })
        assert.strictEqual(status, 200)
        assert.match(body.version, /^\d+\.\d+\.\d+/)
        assert.deepInclude(body, { status: "ok", interfaceVersion: "6.1.3" })
        assert.deepStrictEqual(Object.keys(body.checks), ["storage", "memory", "disk"])
        assert.includeMembers(
          body.workers.map(({ worker }: { worker: string }) => worker),
          ["integrity-check", "webhook-deliveries"]
        )
      }
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("counts the WebSockets that are open", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* World
      assert.strictEqual((yield* deep).webSockets.connections, 0)
      const one = yield* listen(baseUrl)
      yield* listen(baseUrl)
      assert.strictEqual((yield* deep).webSockets.connections, 2)
      yield* one.cut
      while ((yield* deep).webSockets.connections !== 1) yield* Effect.yieldNow()
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("shows the circuits by counts and codes, and how many are in which state", () =>
    Effect.gen(function* () {
      yield* openTheCircuit
      const { circuitBreakers, dependencyCircuits } = yield* deep
      assert.deepInclude(dependencyCircuits.summary, { open: 1, halfOpen: 0, overridden: 0 })
      assert.deepInclude(circuitBreakers, { key, state: "open" })
      const [circuit] = dependencyCircuits.circuits
      assert.deepInclude(circuit, { key, state: "open", failures: 5, lastFailure: "timeout" })
      assert.isAbove(Date.parse(circuit.retryAt), Date.parse(circuit.openedAt))
      assert.deepStrictEqual(dependencyCircuits.overrides, [])
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("says how the database is stored, and never where", () =>
    Effect.gen(function* () {
      const { directory } = yield* World
      const { sqlite } = yield* deep
      assert.deepInclude(sqlite, {
        schemaVersion: "sqlite-storage/v1",
        databaseLocation: "runtime-default",
        platform: process.platform,
        journalMode: "wal",
        decisionSource: "filesystem-policy",
        overrideSource: "none",
        healthPosture: "healthy",
        lockingPosture: "trusted"
      })
      assert.isUndefined(sqlite.override)
      assert.isUndefined(sqlite.lastIntegrityCheck)
      const text = JSON.stringify(yield* deep)
      assert.notInclude(text, directory)
      assert.notInclude(text, "muster.db")
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("tells a database that was configured from one in memory", () =>
    Effect.gen(function* () {
      const elsewhere = yield* temporaryDirectory
      const configured = yield* deep.pipe(
        Effect.provide(world({ databaseFile: `${elsewhere}/board.db` })),
        Effect.scoped
      )
      assert.strictEqual(configured.sqlite.databaseLocation, "configured")
      const inMemory = yield* Effect.gen(function* () {
        const { request } = yield* World
        const created = yield* request("POST", "/api/tasks", { body: { title: "Forgotten soon" } })
        assert.strictEqual((yield* request("GET", `/api/tasks/${created.body.id}`)).status, 200)
        return yield* deep
      }).pipe(Effect.provide(world({ databaseFile: ":memory:" })), Effect.scoped)
      assert.deepInclude(inMemory.sqlite, {
        databaseLocation: "memory",
        filesystemPosture: "not-applicable",
        reasonCode: "in-memory-database",
        journalMode: "memory",
        decisionSource: "in-memory",
        lockingPosture: "not-applicable"
      })
    })
  )
})

describe("a circuit", () => {
  it.scopedLive("is reset by hand: it forgets its failures, and remembers who reset it and why", () =>
    Effect.gen(function* () {
      yield* openTheCircuit
      assert.isTrue(Exit.isFailure(yield* calls("ok")))
      const { body, status } = yield* admin("POST", circuits("reset"), { reason: `  ${reason}  ` })
      assert.strictEqual(status, 200)
      assert.deepInclude(body, { key, state: "closed", failures: 0 })
      assert.deepInclude(body.lastReset, { by: "admin", reason })
      assert.isTrue(Exit.isSuccess(yield* calls("ok")))
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("that is blocked lets nothing through, until the override is cleared", () =>
    Effect.gen(function* () {
      const draft = { mode: "block", reason, durationSeconds: 60 }
      const { body, status } = yield* admin("POST", circuits("override"), draft)
      assert.strictEqual(status, 200)
      assert.deepInclude(body.override, { mode: "block", reason, createdBy: "admin" })
      assert.isTrue(Exit.isFailure(yield* calls("ok")))
      assert.deepInclude((yield* deep).dependencyCircuits.overrides[0], { key, mode: "block" })
      assert.strictEqual((yield* admin("DELETE", circuits("override"))).status, 204)
      assert.isTrue(Exit.isSuccess(yield* calls("ok")))
      assert.deepStrictEqual((yield* deep).dependencyCircuits.overrides, [])
      const missing = yield* admin("DELETE", circuits("override"))
      assert.strictEqual(missing.status, 404)
      assert.deepStrictEqual(missing.body, {
        error: `The circuit ${key} has no override`,
        code: "NOT_FOUND",
        details: { circuitKey: key }
      })
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive(
    "that is allowed lets calls through and keeps the evidence against it, also when it is reset",
    () =>
      Effect.gen(function* () {
        yield* openTheCircuit
        yield* admin("POST", circuits("override"), { mode: "allow", reason, durationSeconds: 3_600 })
        assert.isTrue(Exit.isSuccess(yield* calls("timeout")))
        const [circuit] = (yield* deep).dependencyCircuits.circuits
        assert.deepInclude(circuit, { state: "open", failures: 6 })
        const { body } = yield* admin("POST", circuits("reset"), { reason })
        assert.deepInclude(body, { failures: 0 })
        assert.deepInclude(body.override, { mode: "allow" })
      }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is overridden anew in place of the override before", () =>
    Effect.gen(function* () {
      yield* admin("POST", circuits("override"), { mode: "block", reason, durationSeconds: 60 })
      yield* admin("POST", circuits("override"), { mode: "allow", reason, durationSeconds: 60 })
      const { overrides, summary } = (yield* deep).dependencyCircuits
      assert.strictEqual(overrides.length, 1)
      assert.deepInclude(overrides[0], { key, mode: "allow" })
      assert.strictEqual(summary.overridden, 1)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is free again when the time of its override is over", () => {
    const { layer, step } = steppedClock()
    return Effect.gen(function* () {
      yield* admin("POST", circuits("override"), { mode: "block", reason, durationSeconds: 60 })
      yield* step("59 seconds")
      assert.isTrue(Exit.isFailure(yield* calls("ok")))
      yield* step("1 second")
      assert.deepStrictEqual((yield* deep).dependencyCircuits.overrides, [])
      assert.strictEqual((yield* admin("DELETE", circuits("override"))).status, 404)
    }).pipe(Effect.provide(Layer.provideMerge(world(), layer)))
  })

  it.scopedLive("stays overridden across a restart", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      yield* admin("POST", circuits("override"), { mode: "block", reason, durationSeconds: 3_600 }).pipe(
        Effect.provide(worldIn(directory)),
        Effect.scoped
      )
      const after = yield* Effect.gen(function* () {
        assert.isTrue(Exit.isFailure(yield* calls("ok")))
        return yield* deep
      }).pipe(Effect.provide(worldIn(directory)), Effect.scoped)
      assert.deepInclude(after.dependencyCircuits.overrides[0], { key, mode: "block", reason })
    })
  )

  it.scopedLive("is not touched by bodies, keys and people that are not right", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const good = { mode: "block", reason, durationSeconds: 60 }
      const wrong: ReadonlyArray<readonly [string, unknown]> = [
        ["reset", {}],
        ["reset", { reason: 5 }],
        ["reset", { reason: "1234567" }],
        ["reset", { reason: "   1234567   " }],
        ["reset", { reason: "x".repeat(501) }],
        ["override", { ...good, mode: "x" }],
        ["override", { ...good, reason: "1234567" }],
        ["override", { ...good, durationSeconds: 59 }],
        ["override", { ...good, durationSeconds: 3_601 }],
        ["override", { ...good, durationSeconds: 60.5 }],
        ["override", { ...good, durationSeconds: "60" }],
        ["override", { mode: "block", reason }]
      ]
      for (const [action, body] of wrong) {
        const answer = yield* admin("POST", circuits(action), body)
        assert.strictEqual(answer.status, 400, JSON.stringify(body))
        assert.strictEqual(answer.body.code, "VALIDATION_ERROR")
      }
      for (const [method, action] of [
        ["POST", "reset"],
        ["POST", "override"],
        ["DELETE", "override"]
      ] as const) {
        assert.strictEqual((yield* request(method, circuits(action), { as: null, body: good })).status, 401)
        assert.strictEqual((yield* request(method, circuits(action), { body: good })).status, 403)
        const odd = yield* admin(method, `/health/dependency-circuits/NO%20KEY/${action}`, good)
        assert.strictEqual(odd.status, 400)
      }
      const unknown = yield* admin("POST", "/health/dependency-circuits/nope/reset", { reason })
      assert.strictEqual(unknown.status, 404)
      assert.deepInclude(unknown.body, { code: "NOT_FOUND", details: { circuitKey: "nope" } })
      assert.strictEqual((yield* deep).dependencyCircuits.summary.overridden, 0)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("keeps no secret that somebody gives as a reason", () =>
    Effect.gen(function* () {
      const token = `ghp_${"a1B2".repeat(9)}`
      const { body } = yield* admin("POST", circuits("override"), {
        mode: "block",
        reason: `The token ${token} is revoked`,
        durationSeconds: 60
      })
      assert.notInclude(JSON.stringify(body), token)
      assert.notInclude(JSON.stringify(yield* deep), token)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("can be overridden before anybody has called it, but not without end", () =>
    Effect.gen(function* () {
      const draft = { mode: "block", reason, durationSeconds: 60 }
      for (let number = 0; number < 100; number++) {
        const { status } = yield* admin(
          "POST",
          `/health/dependency-circuits/made-up:${number}/override`,
          draft
        )
        assert.strictEqual(status, 200)
      }
      const { body, status } = yield* admin("POST", circuits("override"), draft)
      assert.strictEqual(status, 409)
      assert.deepInclude(body, { code: "CONFLICT", details: { limit: 100 } })
      const again = yield* admin("POST", "/health/dependency-circuits/made-up:7/override", draft)
      assert.strictEqual(again.status, 200)
    }).pipe(Effect.provide(world()))
  )
})
