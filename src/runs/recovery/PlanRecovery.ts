import type { CompletionStatus } from "../documents/Policies.ts"

/** How many recoveries follow one another before it is left to people (ruling 31). */
export const maxAttempts = 3

/** How long the first recovery waits, in milliseconds; each later one waits twice as long as the one before. */
const firstDelayMs = 30_000

/** What is known of an attempt that is over. */
export interface EndedAttempt {
  readonly provider: string
  readonly source: string
  readonly status: CompletionStatus
  readonly terminalSource: string
}

/** What follows an end. `attemptNumber` counts the recoveries in a row from 1; `delayMs` is counted from the end. */
export type Plan =
  | { readonly _tag: "None" }
  | { readonly _tag: "Schedule"; readonly attemptNumber: number; readonly delayMs: number }
  | { readonly _tag: "Exhausted"; readonly attemptNumber: number }

/** The ends that somebody brought about, or a refusal: a stop, and whatever never ran because it was not let. */
const decided: ReadonlySet<string> = new Set(["stop", "cancel"])

/**
 * What follows an attempt that ended, after so many recoveries in a row that led to it (spec 3-runs, States and
 * transitions; ruling 31). An agent that works elsewhere is nobody's to start again, and the step of a workflow is its
 * workflow's.
 */
export const planRecovery = (
  { provider, source, status, terminalSource }: EndedAttempt,
  recoveriesBefore: number
): Plan => {
  const isBroken = status === "failed" || status === "interrupted"
  if (!isBroken || provider === "gateway" || source === "workflow" || decided.has(terminalSource))
    return { _tag: "None" }
  if (recoveriesBefore >= maxAttempts) return { _tag: "Exhausted", attemptNumber: recoveriesBefore }
  return {
    _tag: "Schedule",
    attemptNumber: recoveriesBefore + 1,
    delayMs: firstDelayMs * 2 ** recoveriesBefore
  }
}
