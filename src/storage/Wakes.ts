import { Effect, Queue, type Scope } from "effect"
import { now } from "../kernel/Time.ts"
import * as Worker from "../kernel/Worker.ts"
import { Storage } from "./Storage.ts"

/** A bell that has rung when one of the streams has moved since it was heard last. However often it rang, it is heard once. */
export const of = (
  ...streams: ReadonlyArray<string>
): Effect.Effect<Queue.Queue<void>, never, Storage | Scope.Scope> =>
  Effect.gen(function* () {
    const { onMove } = yield* Storage
    const bell = yield* Queue.sliding<void>(1)
    yield* onMove(streams, () => bell.unsafeOffer(undefined))
    return bell
  })

/** How long a worker sleeps at the most, in milliseconds, before it looks at the clock again: clocks are set. */
const longestSleep = 30_000

/**
 * Starts a worker that serves what comes due: `round` does what is due by now, and says when the next of it is, in
 * milliseconds since the epoch. It begins anew when that time has come, when one of the streams has moved, and when
 * somebody rings.
 */
export const startDue = <E, R>(
  worker: string,
  streams: ReadonlyArray<string>,
  round: (ring: Effect.Effect<void>) => Effect.Effect<number | undefined, E, R>
): Effect.Effect<void, never, R | Storage | Worker.Workers | Scope.Scope> =>
  Effect.gen(function* () {
    const bell = yield* of(...streams)
    const ring = Effect.asVoid(Queue.offer(bell, undefined))
    yield* Worker.start(
      worker,
      Effect.gen(function* () {
        const next = yield* round(ring)
        const left = next === undefined ? longestSleep : next - (yield* now)
        yield* Effect.race(Queue.take(bell), Effect.sleep(Math.min(longestSleep, Math.max(1, left))))
      })
    )
  })
