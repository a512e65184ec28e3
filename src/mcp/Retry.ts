import { Effect } from "effect"
import { type Failure, Refused } from "../client/Failure.ts"

/*
 * What is tried a second time, and no more often: a model should know that a board is busy or gone.
 */

/** Repeats a call whose answer was lost. It must carry an operation id, so that nothing is done twice. */
export const once = <A, R>(call: Effect.Effect<A, Failure, R>): Effect.Effect<A, Failure, R> =>
  Effect.retry(call, { times: 1, while: (failure) => failure._tag === "Unreachable" })

/** Repeats a read and the write that is based on it, when somebody else wrote in between. */
export const retryConflict = <A, R>(work: Effect.Effect<A, Failure, R>): Effect.Effect<A, Failure, R> =>
  Effect.retry(work, { times: 1, while: isStale })

/** Whether a write was refused because the revision or the place that it was based on is out of date. */
const isStale = (failure: Failure): boolean =>
  failure instanceof Refused &&
  failure.status === 409 &&
  ("expectedRevision" in failure.details || "expectedPosition" in failure.details)
