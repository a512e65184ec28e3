/** Whether calls to a dependency are let through: all, none, or one to try. */
export type CircuitState = "closed" | "open" | "half-open"

/** An operator's override of the circuit (spec 1-core, Health), until a time in milliseconds since the epoch. */
export interface CircuitOverride {
  readonly mode: "allow" | "block"
  readonly reason: string
  readonly until: number
  readonly by: string
}

/** What is known of a dependency. Times are milliseconds since the epoch; `lastFailure` is a code and never a text. */
export interface Circuit {
  readonly key: string
  readonly consecutiveFailures: number
  readonly failures: number
  readonly successes: number
  readonly rejections: number
  /** How often it opened since the last success: each time it stays open for longer. */
  readonly openings: number
  readonly openedAt?: number
  readonly retryAt?: number
  /** True while the one call that tries an open circuit is under way. */
  readonly trying: boolean
  readonly lastFailure?: string
  readonly lastFailureAt?: number
  readonly lastSuccessAt?: number
  readonly override?: CircuitOverride
}

/** This many failures in a row open a circuit. */
export const failureThreshold = 5

const shortestRest = 15_000
const longestRest = 300_000

/** A dependency that nobody has called yet. */
export const fresh = (key: string): Circuit => ({
  key,
  consecutiveFailures: 0,
  failures: 0,
  successes: 0,
  rejections: 0,
  openings: 0,
  trying: false
})

/** The state at a time. */
export const stateOf = ({ retryAt }: Circuit, at: number): CircuitState =>
  retryAt === undefined ? "closed" : at < retryAt ? "open" : "half-open"

/** The override that is in force at a time. */
export const overrideOf = ({ override }: Circuit, at: number): CircuitOverride | undefined =>
  override !== undefined && at < override.until ? override : undefined

/** Whether a call may go out, and the circuit after that was decided. */
export type Admission =
  | { readonly _tag: "Admitted"; readonly circuit: Circuit }
  | {
      readonly _tag: "Rejected"
      readonly circuit: Circuit
      readonly blocked: boolean
      readonly retryAfterMs: number
    }

/** How long a call that comes during a trial is told to wait, in milliseconds. */
const trialPause = 1_000

/**
 * Decides whether a call may go out at this time. An open circuit lets one trial call through once its rest is over.
 */
export const admit = (circuit: Circuit, at: number): Admission => {
  const override = overrideOf(circuit, at)
  const reject = (retryAfterMs: number): Admission => ({
    _tag: "Rejected",
    circuit: { ...circuit, rejections: circuit.rejections + 1 },
    blocked: override?.mode === "block",
    retryAfterMs
  })
  if (override?.mode === "block") return reject(override.until - at)
  if (override?.mode === "allow") return { _tag: "Admitted", circuit }
  switch (stateOf(circuit, at)) {
    case "closed":
      return { _tag: "Admitted", circuit }
    case "open":
      return reject((circuit.retryAt ?? at) - at)
    case "half-open":
      return circuit.trying ? reject(trialPause) : { _tag: "Admitted", circuit: { ...circuit, trying: true } }
  }
}

/** A call succeeded: the circuit closes. */
export const succeeded = (circuit: Circuit, at: number): Circuit => {
  const { openedAt: _openedAt, retryAt: _retryAt, ...rest } = circuit
  return {
    ...rest,
    consecutiveFailures: 0,
    successes: circuit.successes + 1,
    openings: 0,
    trying: false,
    lastSuccessAt: at
  }
}

/** A call failed: after several in a row, or after a failed trial, the circuit opens and rests. */
export const failed = (circuit: Circuit, at: number, reason: string): Circuit => {
  const consecutiveFailures = circuit.consecutiveFailures + 1
  const counted = {
    ...circuit,
    consecutiveFailures,
    failures: circuit.failures + 1,
    trying: false,
    lastFailure: reason,
    lastFailureAt: at
  }
  // Calls that were under way when it opened tell nothing new.
  if (consecutiveFailures < failureThreshold || stateOf(circuit, at) === "open") return counted
  return {
    ...counted,
    openings: circuit.openings + 1,
    openedAt: at,
    retryAt: at + Math.min(longestRest, shortestRest * 2 ** Math.min(circuit.openings, 10))
  }
}

/** A trial was given up before it had an outcome: the next call may try. */
export const givenUp = (circuit: Circuit): Circuit => ({ ...circuit, trying: false })
