import type { Duplex } from "node:stream"
import { Effect, Runtime } from "effect"

/**
 * Keeps what a listener throws from ending the process. Node calls listeners outside of every fiber, so a fault in one
 * that foreign bytes reach would be nobody's: here it is logged, and costs the connection that it came by.
 */
export type Guard = <Args extends ReadonlyArray<unknown>>(
  listener: (...args: Args) => void,
  socketOf: (...args: Args) => Duplex | null
) => (...args: Args) => void

/** A guard that logs where this effect does. */
export const makeGuard: Effect.Effect<Guard> = Effect.map(
  Effect.runtime<never>(),
  (runtime): Guard =>
    (listener, socketOf) =>
    (...args) => {
      try {
        listener(...args)
      } catch (fault) {
        Runtime.runFork(runtime)(Effect.logError("A connection was cut because its listener failed", fault))
        socketOf(...args)?.destroy()
      }
    }
)
