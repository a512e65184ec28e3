import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { withdraw } from "../../../src/governance/queue/Units.ts"
import { Storage } from "../../../src/storage/Storage.ts"
import { auditTrail } from "../../support/Audit.ts"
import { tester } from "../../support/Journal.ts"
import { storageInMemory } from "../../support/TestStorage.ts"
import { choose, end, launch, launchLater, room, running, states } from "./Launches.ts"

describe("a launch that asks for capacity", () => {
  it.scoped("has it at once while there is room, and waits when there is none", () =>
    Effect.gen(function* () {
      yield* room(1)
      assert.strictEqual((yield* launch("first"))._tag, "Reserved")
      const queued = yield* launchLater("second")
      assert.strictEqual(queued.retryAfterMs, 5_000)
      assert.deepStrictEqual(queued.limitingScopes, [{ scope: "workspace", scopeId: "default" }])
      assert.deepStrictEqual(yield* states, { second: "queued" })
      assert.strictEqual((yield* launch("third", { workspaceId: "other" }))._tag, "Reserved")
    }).pipe(Effect.provide(storageInMemory))
  )

  it.scoped("is told the same when it asks again", () =>
    Effect.gen(function* () {
      yield* room(1)
      assert.deepStrictEqual(yield* launch("first"), yield* launch("first"))
      assert.deepStrictEqual(yield* launch("second"), yield* launch("second"))
      assert.strictEqual(yield* running, 1)
      assert.deepStrictEqual(yield* states, { second: "queued" })
    }).pipe(Effect.provide(storageInMemory))
  )

  it.scoped(
    "is never let in when it never fits, and neither waits nor leaves anything but an audit entry",
    () =>
      Effect.gen(function* () {
        yield* room(0)
        const denied = yield* Effect.flip(launch("first"))
        assert.deepInclude(denied, {
          _tag: "AdmissionPolicyDenied",
          terminal: true,
          limitingScope: { scope: "workspace", scopeId: "default" }
        })
        yield* choose({ limits: { workspace: { runs: null }, host: { memoryMb: 1_024 } } })
        const tooLarge = { capacity: { runs: 1, processes: 1, memoryMb: 1_025 } }
        const large = yield* Effect.flip(launch("second", tooLarge))
        assert.strictEqual(large._tag, "AdmissionPolicyDenied")
        assert.notInclude(JSON.stringify(large), "machine-of-ann")
        assert.deepStrictEqual(yield* states, {})
        assert.strictEqual(yield* running, 0)
        const refusals = (yield* auditTrail).filter(({ action }) => action === "admission.refused")
        assert.deepStrictEqual(
          refusals.map(({ resourceId }) => resourceId),
          ["first", "second"]
        )
      }).pipe(Effect.provide(storageInMemory))
  )

  it.scoped("is refused for now when there is no room and nobody can wait", () =>
    Effect.gen(function* () {
      yield* choose({ limits: { workspace: { runs: 1 } }, queue: { maxEntries: 1, retryAfterMs: 70 } })
      yield* launch("first")
      yield* launchLater("second")
      const full = yield* Effect.flip(launch("third"))
      assert.deepInclude(full, { _tag: "AdmissionOverload", queue: "full", retryAfterMs: 70 })
      yield* choose({ queue: { enabled: false } })
      const off = yield* Effect.flip(launch("fourth"))
      assert.deepInclude(off, { _tag: "AdmissionOverload", queue: "off" })
      yield* choose({ enabled: false })
      assert.strictEqual((yield* launch("fifth"))._tag, "Reserved")
    }).pipe(Effect.provide(storageInMemory))
  )

  it.scoped("does not overtake who waits for the same room", () =>
    Effect.gen(function* () {
      yield* room(1)
      yield* launch("first")
      yield* launchLater("second")
      yield* end("first")
      yield* launchLater("third")
      assert.strictEqual((yield* launch("urgent", { priority: "critical" }))._tag, "Reserved")
    }).pipe(Effect.provide(storageInMemory))
  )

  it.scoped("leaves the queue when its attempt is stopped", () =>
    Effect.gen(function* () {
      const { write } = yield* Storage
      yield* room(1)
      yield* launch("first")
      yield* launchLater("second")
      assert.isTrue(yield* write(withdraw("second", tester)))
      assert.deepStrictEqual(yield* states, { second: "terminal" })
      assert.isFalse(yield* write(withdraw("second", tester)))
      assert.isFalse(yield* write(withdraw("first", tester)))
      assert.strictEqual(yield* running, 1)
    }).pipe(Effect.provide(storageInMemory))
  )

  it.scoped("lets no more in than there is room for, however many ask at once", () =>
    Effect.gen(function* () {
      yield* room(5)
      const all = yield* Effect.forEach(
        Array.from({ length: 50 }, (_, index) => `a${index}`),
        (attemptId) => launch(attemptId),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(all.filter(({ _tag }) => _tag === "Reserved").length, 5)
      assert.strictEqual(yield* running, 5)
    }).pipe(Effect.provide(storageInMemory))
  )
})
