import { assert, describe, it } from "@effect/vitest"
import { Deferred, Duration, Effect, Logger, LogLevel, Queue, Scope, TestClock } from "effect"
import { pauseAfter, start, Workers } from "../../src/kernel/Worker.ts"

const quietly = Effect.provide(Logger.minimumLogLevel(LogLevel.None))

describe("a worker", () => {
  it.scoped("survives rounds that fail or die, resting longer each time, and shows it", () =>
    Effect.gen(function* () {
      const workers = yield* Workers
      const rounds = yield* Queue.unbounded<number | undefined>()
      let round = 0
      yield* start(
        "postman",
        Effect.gen(function* () {
          round += 1
          const [beat] = yield* workers.heartbeats
          yield* rounds.offer(beat?.failures)
          if (round === 1) return yield* Effect.fail("the van broke down")
          if (round === 2) return yield* Effect.dieMessage("the van burned down")
          if (round > 3) return yield* Effect.never
        })
      )
      assert.strictEqual(yield* Queue.take(rounds), 0)
      yield* TestClock.adjust(Duration.times(pauseAfter(1), 1.2))
      assert.strictEqual(yield* Queue.take(rounds), 1)
      yield* TestClock.adjust(Duration.times(pauseAfter(2), 1.2))
      assert.strictEqual(yield* Queue.take(rounds), 2)
      assert.strictEqual(yield* Queue.take(rounds), 0)
    }).pipe(quietly, Effect.provide(Workers.layer))
  )

  it.scoped("ends with its scope, at once, and is no longer among the workers", () =>
    Effect.gen(function* () {
      const workers = yield* Workers
      const ended = yield* Deferred.make<void>()
      const scope = yield* Scope.make()
      const round = Effect.onInterrupt(Effect.never, () => Deferred.succeed(ended, undefined))
      yield* Scope.extend(start("postman", round), scope)
      yield* Effect.yieldNow()
      assert.lengthOf(yield* workers.heartbeats, 1)
      yield* Scope.close(scope, yield* Effect.exit(Effect.void))
      yield* Deferred.await(ended)
      assert.deepStrictEqual(yield* workers.heartbeats, [])
    }).pipe(quietly, Effect.provide(Workers.layer))
  )

  it("never rests longer than half a minute", () => {
    const pauses = [1, 2, 3, 9, 50].map((failures) => Duration.toMillis(pauseAfter(failures)))
    assert.deepStrictEqual(pauses, [250, 500, 1000, 30_000, 30_000])
  })
})
