import { Effect } from "effect"
import { type Failure, Refused } from "../client/Failure.ts"

/*
 * What is tried a second time. Once and no more: a board that is busy or gone is for the model to know.
 */

/** Repeats a call whose answer was lost. It must carry an operation id: then a repetition does nothing twice. */
export const once = <A, R>(call: Effect.Effect<A, Failure, R>): Effect.Effect<A, Failure, R> =>
  Effect.retry(call, { times: 1, while: (failure) => failure._tag === "Unreachable" })

/** Repeats work that reads the board and writes by what it read, when somebody else wrote in between. */
export const retryConflict = <A, R>(work: Effect.Effect<A, Failure, R>): Effect.Effect<A, Failure, R> =>
  Effect.retry(work, { times: 1, while: isStale })

/** The write was based on a revision or a place that was no longer true. Other conflicts stay what they are. */
const isStale = (failure: Failure): boolean =>
  failure instanceof Refused &&
  failure.status === 409 &&
  ("expectedRevision" in failure.details || "expectedPosition" in failure.details)
