import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, TestClock } from "effect"
import * as Circuit from "../../../src/kernel/outbound/Circuit.ts"
import { Circuits } from "../../../src/kernel/outbound/Circuits.ts"

const verdict = (exit: Exit.Exit<unknown, string>) => (Exit.isFailure(exit) ? "down" : undefined)

const calls = (key: string) =>
  Effect.map(Circuits, ({ protect }) => {
    const guard = protect<void, string>(key, verdict)
    return {
      fails: Effect.map(Effect.flip(guard(Effect.fail("down"))), (failure) =>
        typeof failure === "string" ? "called" : failure._tag
      ),
      succeeds: Effect.match(guard(Effect.void), {
        onFailure: (failure) => (typeof failure === "string" ? failure : failure._tag),
        onSuccess: () => "called"
      }),
      hangs: guard(Effect.never)
    }
  })

const times =
  (count: number) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.replicateEffect(effect, count)

const override = { reason: "The target moves house", by: "admin" }

describe("a circuit", () => {
  it.effect("opens after failures in a row, and closes when a trial succeeds", () =>
    Effect.gen(function* () {
      const { fails, succeeds } = yield* calls("tracker:github")
      yield* fails.pipe(times(Circuit.failureThreshold - 1))
      yield* succeeds
      yield* fails.pipe(times(Circuit.failureThreshold))
      assert.strictEqual(yield* succeeds, "CircuitOpen")
      yield* TestClock.adjust("15 seconds")
      assert.strictEqual(yield* succeeds, "called")
      assert.strictEqual(yield* succeeds, "called")
    }).pipe(Effect.provide(Circuits.layer))
  )

  it.effect("rests for longer after each trial that fails, and lets one call at a time try", () =>
    Effect.gen(function* () {
      const { fails, hangs, succeeds } = yield* calls("tracker:github")
      yield* fails.pipe(times(Circuit.failureThreshold))
      yield* TestClock.adjust("15 seconds")
      assert.strictEqual(yield* fails, "called")
      yield* TestClock.adjust("29 seconds")
      assert.strictEqual(yield* succeeds, "CircuitOpen")
      yield* TestClock.adjust("1 second")
      const trial = yield* Effect.fork(hangs)
      yield* Effect.yieldNow()
      assert.strictEqual(yield* succeeds, "CircuitOpen")
      // A trial that is given up leaves the place to the next one.
      yield* Fiber.interrupt(trial)
      assert.strictEqual(yield* succeeds, "called")
    }).pipe(Effect.provide(Circuits.layer))
  )

  it.effect("does not open again for calls that were under way when it opened", () =>
    Effect.gen(function* () {
      const { protect } = yield* Circuits
      const release = yield* Deferred.make<void>()
      const late = protect<void, string>(
        "a",
        verdict
      )(Effect.zipRight(Deferred.await(release), Effect.fail("down")))
      const fibers = yield* Effect.forEach([...Array(20).keys()], () => Effect.fork(late))
      yield* Effect.yieldNow()
      yield* Deferred.succeed(release, undefined)
      yield* Effect.forEach(fibers, Fiber.await)
      const { all } = yield* Circuits
      assert.deepInclude((yield* all)[0], { failures: 20, openings: 1, retryAt: 15_000 })
    }).pipe(Effect.provide(Circuits.layer))
  )

  it.effect("obeys a person until the time is over, and keeps its evidence", () =>
    Effect.gen(function* () {
      const { all, override: set, reset } = yield* Circuits
      const { fails, succeeds } = yield* calls("webhook:delivery")
      yield* set("webhook:delivery", { ...override, mode: "block", until: 60_000 })
      assert.strictEqual(yield* succeeds, "CircuitOpen")
      yield* TestClock.adjust("60 seconds")
      assert.strictEqual(yield* succeeds, "called")
      yield* fails.pipe(times(Circuit.failureThreshold))
      yield* set("webhook:delivery", { ...override, mode: "allow", until: 120_000 })
      assert.strictEqual(yield* fails, "called")
      assert.deepInclude((yield* all)[0], { failures: Circuit.failureThreshold + 1, rejections: 1 })
      yield* set("webhook:delivery", undefined)
      assert.strictEqual(yield* succeeds, "CircuitOpen")
      yield* reset("webhook:delivery")
      assert.strictEqual(yield* succeeds, "called")
      assert.isUndefined(yield* reset("nobody"))
    }).pipe(Effect.provide(Circuits.layer))
  )

  it.effect("makes room for new ones: there are never more than a thousand", () =>
    Effect.gen(function* () {
      const { all, register } = yield* Circuits
      const { fails } = yield* calls("bad")
      yield* fails.pipe(times(Circuit.failureThreshold))
      yield* Effect.forEach([...Array(1_500).keys()], (number) => register(`host-${number}`))
      const keys = (yield* all).map(({ key }) => key)
      assert.lengthOf(keys, 1_000)
      assert.include(keys, "bad")
    }).pipe(Effect.provide(Circuits.layer))
  )
})
