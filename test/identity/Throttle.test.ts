import { assert, describe, it } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { placeOf, Throttle } from "../../src/identity/principals/Throttle.ts"
import { actorOf, anonymous } from "../../src/kernel/Actor.ts"

const attempt = Effect.flatMap(Throttle, (throttle) => Effect.either(throttle.attempt("login", "10.0.0.1")))

const attempts = (times: number) =>
  Effect.map(Effect.replicateEffect(attempt, times), (all) =>
    all.map((either) => (either._tag === "Right" ? "ok" : either.left.retryAfterSeconds))
  )

describe("somebody who guesses", () => {
  it.effect("has five attempts, then waits until the first of them is a minute old", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* attempts(6), ["ok", "ok", "ok", "ok", "ok", 60])
      yield* TestClock.adjust("45 seconds")
      assert.deepStrictEqual(yield* attempts(1), [15])
      yield* TestClock.adjust("15 seconds")
      assert.deepStrictEqual(yield* attempts(6), ["ok", "ok", "ok", "ok", "ok", 60])
    }).pipe(Effect.provide(Throttle.layer))
  )

  it.effect("does not keep others waiting, nor other doors", () =>
    Effect.gen(function* () {
      const throttle = yield* Throttle
      yield* attempts(6)
      yield* throttle.attempt("login", "10.0.0.2")
      yield* throttle.attempt("recover", "10.0.0.1")
    }).pipe(Effect.provide(Throttle.layer))
  )

  it("is at a place: that of a credential, else of an address, of IPv6 all of one network", () => {
    const key = actorOf({ name: "codex", role: "agent", authMethod: "api-key" })
    const bypass = actorOf({ name: "localhost", role: "admin", authMethod: "localhost-bypass" })
    const unknown = (address: string) => placeOf(address, anonymous)
    assert.strictEqual(placeOf("10.0.0.1", key), placeOf("10.0.0.2", key))
    assert.notStrictEqual(placeOf("10.0.0.1", key), unknown("10.0.0.1"))
    assert.strictEqual(placeOf("127.0.0.1", bypass), unknown("127.0.0.1"))
    assert.notStrictEqual(unknown("10.0.0.1"), unknown("10.0.0.2"))
    assert.strictEqual(unknown("::ffff:10.0.0.1"), unknown("10.0.0.1"))
    const network = ["2001:db8:0:1::1", "2001:DB8::1:0:0:0:2", "2001:db8:0:1:ffff::", "2001:db8:0:1::9%eth0"]
    for (const address of network) assert.strictEqual(unknown(address), "2001:db8:0:1::/64", address)
    assert.strictEqual(unknown("2001:db8:0:2::1"), "2001:db8:0:2::/64")
    assert.strictEqual(unknown("::1"), "0:0:0:0::/64")
    assert.strictEqual(unknown("unknown"), "unknown")
  })

  it.effect("begins anew after a success", () =>
    Effect.gen(function* () {
      const throttle = yield* Throttle
      yield* attempts(4)
      yield* throttle.succeeded("login", "10.0.0.1")
      assert.deepStrictEqual(yield* attempts(5), ["ok", "ok", "ok", "ok", "ok"])
    }).pipe(Effect.provide(Throttle.layer))
  )

  it.effect("is remembered within bounds: ten thousand others push out who tried longest ago", () =>
    Effect.gen(function* () {
      const throttle = yield* Throttle
      yield* attempts(5)
      for (let other = 0; other < 10_000; other += 1) yield* throttle.attempt("login", `other ${other}`)
      assert.deepStrictEqual(yield* attempts(1), ["ok"])
    }).pipe(Effect.provide(Throttle.layer))
  )
})
