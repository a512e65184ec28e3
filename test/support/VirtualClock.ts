import { Clock, Duration, Effect, Layer } from "effect"

interface Sleeper {
  readonly at: number
  readonly wake: () => void
}

/** The event loop goes round once: what waits for the store, for a promise or for an immediate gets its turn. */
const turn = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))

/** So many turns of the event loop without a new sleeper mean that everybody waits for time to pass. */
const quietTurns = 4

/**
 * A clock that stands until it is moved, sleepers included, so that a month takes a minute. TestClock looks at every
 * fiber of the world for each second that it passes; here only sleepers are woken, one by one in their order.
 */
export const virtualClock = (startMs: number) => {
  let milliseconds = startMs
  let stirred = 0
  const sleepers = new Set<Sleeper>()
  const unsafeCurrentTimeMillis = () => milliseconds
  const unsafeCurrentTimeNanos = () => BigInt(milliseconds) * 1_000_000n
  const clock: Clock.Clock = {
    [Clock.ClockTypeId]: Clock.ClockTypeId,
    unsafeCurrentTimeMillis,
    unsafeCurrentTimeNanos,
    currentTimeMillis: Effect.sync(unsafeCurrentTimeMillis),
    currentTimeNanos: Effect.sync(unsafeCurrentTimeNanos),
    sleep: (duration) =>
      Effect.async<void>((resume) => {
        stirred += 1
        const sleeper = { at: milliseconds + Duration.toMillis(duration), wake: () => resume(Effect.void) }
        sleepers.add(sleeper)
        return Effect.sync(() => sleepers.delete(sleeper))
      })
  }

  const settle = Effect.gen(function* () {
    for (let quiet = 0, before = stirred; quiet < quietTurns; quiet = stirred === before ? quiet + 1 : 0) {
      before = stirred
      yield* turn
    }
  })

  const wakeBefore = (end: number, walking: boolean) =>
    Effect.gen(function* () {
      for (;;) {
        yield* settle
        const next = [...sleepers].reduce<Sleeper | undefined>(
          (first, one) => (one.at <= end && (first === undefined || one.at < first.at) ? one : first),
          undefined
        )
        if (next === undefined) return
        sleepers.delete(next)
        if (walking) milliseconds = Math.max(milliseconds, next.at)
        next.wake()
      }
    })

  return {
    /** Provide this to what shall live by the clock. */
    layer: Layer.setClock(clock),
    now: unsafeCurrentTimeMillis,
    settle,
    /** Time passes: each sleeper wakes at its time. */
    pass: (duration: Duration.DurationInput) =>
      Effect.gen(function* () {
        const end = milliseconds + Duration.toMillis(duration)
        yield* wakeBefore(end, true)
        milliseconds = end
      }),
    /** The machine was suspended: all who should have woken meanwhile wake too late. */
    leap: (duration: Duration.DurationInput) =>
      Effect.gen(function* () {
        yield* settle
        milliseconds += Duration.toMillis(duration)
        yield* wakeBefore(milliseconds, false)
      })
  }
}

export type VirtualClock = ReturnType<typeof virtualClock>
