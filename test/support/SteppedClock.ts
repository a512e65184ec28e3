import { Clock, Duration, Effect, Layer } from "effect"

/**
 * A clock that stands at 1970 until it is stepped, while sleepers sleep in real time. TestClock wakes every sleeper on
 * the way, so a day costs it thousands of heartbeats; here a day costs nothing.
 */
export const steppedClock = () => {
  const live = Clock.make()
  let milliseconds = 0
  const unsafeCurrentTimeMillis = () => milliseconds
  const unsafeCurrentTimeNanos = () => BigInt(milliseconds) * 1_000_000n
  const clock: Clock.Clock = {
    [Clock.ClockTypeId]: Clock.ClockTypeId,
    unsafeCurrentTimeMillis,
    unsafeCurrentTimeNanos,
    currentTimeMillis: Effect.sync(unsafeCurrentTimeMillis),
    currentTimeNanos: Effect.sync(unsafeCurrentTimeNanos),
    sleep: (duration) => live.sleep(duration)
  }
  return {
    /** Provide this to the world that shall live by the clock. */
    layer: Layer.setClock(clock),
    now: unsafeCurrentTimeMillis,
    /** Sets it to a time in milliseconds since the epoch, which may be earlier than it is. */
    set: (to: number) =>
      Effect.sync(() => {
        milliseconds = to
      }),
    step: (duration: Duration.DurationInput) =>
      Effect.sync(() => {
        milliseconds += Duration.toMillis(duration)
      })
  }
}

export type SteppedClock = ReturnType<typeof steppedClock>
