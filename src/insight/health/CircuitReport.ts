import { Schema } from "effect"
import { kept, secretFree } from "../../kernel/Incoming.ts"
import { optional } from "../../kernel/Optional.ts"
import { type Circuit, overrideOf, stateOf } from "../../kernel/outbound/Circuit.ts"
import { everyIssue, integer, isClean } from "../../kernel/Text.ts"
import { iso, Timestamp } from "../../kernel/Time.ts"

/** The key of a circuit as it comes in a path (decision Q58). */
export const CircuitKey = Schema.String.pipe(
  Schema.pattern(/^[a-z0-9:._-]{1,128}$/, {
    message: () => "Expected a key such as webhook:delivery: 1 to 128 of a-z, 0-9, and : . _ -"
  }),
  kept("It is the key of a circuit, in few letters, that the service's own names have.")
).annotations({ description: "The key of a circuit, e.g. `webhook:delivery`" })

/** Why an operator does it: at least 8 characters, blanks around them not counted. */
const Reason = secretFree(
  Schema.compose(
    Schema.Trim.annotations({ jsonSchema: { type: "string", minLength: 8, maxLength: 500 } }),
    Schema.Trimmed.pipe(
      Schema.minLength(8, { message: () => "Expected a reason of at least 8 characters" }),
      Schema.maxLength(500, { message: () => "Expected at most 500 characters" }),
      Schema.filter(isClean, {
        message: () => "Expected well-formed Unicode without NUL characters",
        jsonSchema: {}
      })
    )
  )
)

/** The body of a reset. */
export const CircuitReset = Schema.Struct({ reason: Reason }).annotations({
  identifier: "CircuitReset",
  ...everyIssue
})

/** The body of an override. */
export const CircuitOverrideDraft = Schema.Struct({
  mode: Schema.Literal("allow", "block"),
  reason: Reason,
  durationSeconds: integer(60, 3_600)
}).annotations({ identifier: "CircuitOverrideDraft", ...everyIssue })
export type CircuitOverrideDraft = typeof CircuitOverrideDraft.Type

/** An operator's word over a circuit, until it expires. */
export const OverrideReport = Schema.Struct({
  mode: Schema.Literal("allow", "block"),
  reason: Schema.String,
  expiresAt: Timestamp,
  createdBy: Schema.String
})

/** A circuit that was reset, when, and why. */
const ResetReport = Schema.Struct({ at: Timestamp, by: Schema.String, reason: Schema.String })

/** What is known of a dependency: counts, times and codes, nothing that was sent or came back. */
export const CircuitReport = Schema.Struct({
  key: Schema.String,
  state: Schema.Literal("closed", "open", "half-open"),
  consecutiveFailures: Schema.Int,
  failures: Schema.Int,
  successes: Schema.Int,
  rejections: Schema.Int,
  openings: Schema.Int,
  openedAt: optional(Timestamp),
  retryAt: optional(Timestamp),
  lastFailure: optional(Schema.String),
  lastFailureAt: optional(Timestamp),
  lastSuccessAt: optional(Timestamp),
  override: optional(OverrideReport),
  lastReset: optional(ResetReport)
}).annotations({ identifier: "CircuitReport" })
export type CircuitReport = typeof CircuitReport.Type

/** How an operator reset a circuit the last time. */
export interface LastReset {
  readonly reason: string
  readonly at: number
  readonly actor: string
}

const time = <K extends string>(name: K, at: number | undefined): { readonly [P in K]?: string } | object =>
  at === undefined ? {} : { [name]: iso(at) }

/** A circuit as it is reported at a time. */
export const reportOf = (circuit: Circuit, at: number, reset: LastReset | undefined): CircuitReport => {
  const override = overrideOf(circuit, at)
  return {
    key: circuit.key,
    state: stateOf(circuit, at),
    consecutiveFailures: circuit.consecutiveFailures,
    failures: circuit.failures,
    successes: circuit.successes,
    rejections: circuit.rejections,
    openings: circuit.openings,
    ...time("openedAt", circuit.openedAt),
    ...time("retryAt", circuit.retryAt),
    ...(circuit.lastFailure === undefined ? {} : { lastFailure: circuit.lastFailure }),
    ...time("lastFailureAt", circuit.lastFailureAt),
    ...time("lastSuccessAt", circuit.lastSuccessAt),
    ...(override === undefined
      ? {}
      : {
          override: {
            mode: override.mode,
            reason: override.reason,
            expiresAt: iso(override.until),
            createdBy: override.by
          }
        }),
    ...(reset === undefined
      ? {}
      : { lastReset: { at: iso(reset.at), by: reset.actor, reason: reset.reason } })
  }
}

/** How many circuits there are, by state, and how many of them an operator has overridden. */
export const CircuitSummary = Schema.Struct({
  total: Schema.Int,
  closed: Schema.Int,
  open: Schema.Int,
  halfOpen: Schema.Int,
  overridden: Schema.Int
}).annotations({ identifier: "CircuitSummary" })

export const summaryOf = (circuits: ReadonlyArray<CircuitReport>): typeof CircuitSummary.Type => {
  const count = (state: CircuitReport["state"]) =>
    circuits.filter((circuit) => circuit.state === state).length
  return {
    total: circuits.length,
    closed: count("closed"),
    open: count("open"),
    halfOpen: count("half-open"),
    overridden: circuits.filter(({ override }) => override !== undefined).length
  }
}
