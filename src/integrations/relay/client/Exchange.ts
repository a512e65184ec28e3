import { Effect, Fiber } from "effect"

/**
 * Runs an exchange on a fiber of its own, which its deadline can always cut. A send must not be interrupted half-way, and
 * what such a caller runs itself can't be interrupted either: a relay that is silent or drips would then be waited for as
 * long as it likes, for a deadline ends when what it has cut is over. A caller that may be interrupted takes the exchange
 * along.
 */
export const exchange = <A, E, R>(call: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.flatMap(Effect.fork(Effect.interruptible(call)), (fiber) =>
      Effect.onInterrupt(restore(Fiber.join(fiber)), () => Fiber.interrupt(fiber))
    )
  )
