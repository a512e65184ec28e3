import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Holders } from "../../../src/governance/admission/Holders.ts"
import { KeepLeases } from "../../../src/governance/admission/KeepLeases.ts"
import { Reservations } from "../../../src/governance/admission/Reservations.ts"
import * as Admission from "../../../src/governance/admission/Units.ts"
import { Workers } from "../../../src/kernel/Worker.ts"
import { Storage } from "../../../src/storage/Storage.ts"
import { steppedClock } from "../../support/SteppedClock.ts"
import { storageInMemory } from "../../support/TestStorage.ts"
import {
  atWork,
  choose,
  end,
  launch,
  launches,
  launchLater,
  room,
  running,
  states,
  until
} from "../queue/Launches.ts"

const keeping = KeepLeases.pipe(Layer.provideMerge(Holders.layer), Layer.provide(Workers.layer))

const stateOf = (attemptId: string) =>
  Effect.flatMap(Reservations, ({ list }) => list({})).pipe(
    Effect.map(({ items }) => items.find(({ attemptBinding }) => attemptBinding.attemptId === attemptId)),
    Effect.provide(Reservations.layer)
  )

describe("the lease of a reservation", () => {
  it.scopedLive("lapses while the server is down, and whoever waited gets the room", () => {
    const clock = steppedClock()
    return Effect.gen(function* () {
      const stand = launches()
      yield* room(1)
      yield* launch("gone")
      yield* launchLater("next")
      yield* clock.step("61 seconds")
      yield* Layer.build(keeping)
      yield* Layer.build(atWork(stand.layer))
      yield* until(Effect.sync(() => stand.told.begun.length === 1))
      const lapsed = yield* stateOf("gone")
      assert.deepInclude(lapsed, { state: "expired", revision: 2 })
      assert.deepInclude(lapsed?.releaseEvidence, { reason: "lease-lapsed", by: "system" })
      assert.deepStrictEqual(yield* states, { next: "dispatched" })
      assert.strictEqual(yield* running, 1)
      yield* end("gone")
      assert.strictEqual((yield* stateOf("gone"))?.state, "expired")
    }).pipe(Effect.provide(Layer.provideMerge(storageInMemory, clock.layer)))
  })

  it.scopedLive("holds over a restart for as long as it was given, and is given back by whoever ends", () => {
    const clock = steppedClock()
    return Effect.gen(function* () {
      yield* launch("external")
      yield* clock.step("59 seconds")
      yield* Layer.build(keeping)
      yield* Effect.sleep("20 millis")
      assert.strictEqual((yield* stateOf("external"))?.state, "active")
      yield* end("external")
      const given = yield* stateOf("external")
      assert.deepInclude(given, { state: "released", revision: 2 })
      assert.deepInclude(given?.releaseEvidence, { reason: "attempt-ended", by: "tester" })
    }).pipe(Effect.provide(Layer.provideMerge(storageInMemory, clock.layer)))
  })

  it.scopedLive(
    "is renewed for who lives in this process before it is judged, after a long sleep too",
    () => {
      const clock = steppedClock()
      return Effect.gen(function* () {
        yield* choose({ queue: { leaseMs: 300 } })
        yield* launch("living")
        yield* launch("dead")
        const { hold } = yield* Holders
        yield* hold("living")
        yield* clock.step("8 hours")
        yield* until(Effect.map(stateOf("dead"), (found) => found?.state === "expired"))
        assert.strictEqual((yield* stateOf("living"))?.state, "active")
      }).pipe(
        Effect.provide(keeping.pipe(Layer.provideMerge(storageInMemory), Layer.provideMerge(clock.layer)))
      )
    }
  )

  it.scopedLive("is renewed by a sign of life, until it was taken back", () => {
    const clock = steppedClock()
    return Effect.gen(function* () {
      const { write } = yield* Storage
      yield* launch("external")
      yield* clock.step("50 seconds")
      assert.isTrue(yield* write(Admission.renew("external", 60_000)))
      yield* clock.step("50 seconds")
      yield* Layer.build(keeping)
      yield* Effect.sleep("20 millis")
      assert.strictEqual((yield* stateOf("external"))?.state, "active")
      yield* end("external")
      assert.isFalse(yield* write(Admission.renew("external", 60_000)))
    }).pipe(Effect.provide(Layer.provideMerge(storageInMemory, clock.layer)))
  })
})
