import { Schema } from "effect"
import { secretFree } from "../../kernel/Incoming.ts"
import { everyIssue, nonBlank } from "../../kernel/Text.ts"
import { Timestamp } from "../../kernel/Time.ts"
import { AttemptIdParam } from "../attempts/Params.ts"

/** What a run can be found doing instead of making progress (ruling 33). */
export const FindingKind = Schema.Literal("silence", "repetition").annotations({
  identifier: "WatchdogFindingKind"
})
export type FindingKind = typeof FindingKind.Type

/** What somebody can decide about a finding: that they know, that the run shall go on, or that it shall not. */
export const Resolution = Schema.Literal("acknowledge", "continue", "cancel").annotations({
  identifier: "WatchdogResolution"
})
export type Resolution = typeof Resolution.Type

/** Where a finding stands: nobody has decided about it, or somebody did. */
export const FindingStatus = Schema.Literal("open", "acknowledged", "continued", "cancelled").annotations({
  identifier: "WatchdogFindingStatus"
})
export type FindingStatus = typeof FindingStatus.Type

/** The status of a finding after a decision. */
export const statusAfter: Readonly<Record<Resolution, FindingStatus>> = {
  acknowledge: "acknowledged",
  continue: "continued",
  cancel: "cancelled"
}

/** What a finding rests on. It never shows what a tool was called with. */
export const Evidence = Schema.Union(
  Schema.Struct({
    lastSequence: Schema.Int.annotations({ description: "The newest event of the attempt, 0 for none" }),
    silentSince: Timestamp
  }),
  Schema.Struct({
    toolName: Schema.String,
    calls: Schema.Int.annotations({ description: "How many calls were equal in a row when it was found" }),
    inputHash: Schema.String.annotations({
      description: "`sha256:` and 64 hex digits over the JSON of the input"
    })
  })
)
export type Evidence = typeof Evidence.Type

const whose = { taskId: Schema.String, attemptId: Schema.String }

/** A run makes no progress. */
export const Finding = Schema.Struct({
  schemaVersion: Schema.Literal("progress-watchdog-finding/v1"),
  id: Schema.String,
  ...whose,
  kind: FindingKind,
  status: FindingStatus,
  evidence: Evidence,
  detectedAt: Timestamp
}).annotations({ identifier: "WatchdogFinding" })
export type Finding = typeof Finding.Type

/** What somebody decided about a finding, and why. */
export const Override = Schema.Struct({
  schemaVersion: Schema.Literal("progress-watchdog-override/v1"),
  id: Schema.String,
  findingId: Schema.String,
  ...whose,
  resolution: Resolution,
  reason: Schema.String,
  decidedBy: Schema.String,
  createdAt: Timestamp
}).annotations({ identifier: "WatchdogOverride" })
export type Override = typeof Override.Type

/** What was done to a run for a decision. */
export const Action = Schema.Struct({
  schemaVersion: Schema.Literal("progress-watchdog-action/v1"),
  id: Schema.String,
  findingId: Schema.String,
  overrideId: Schema.String,
  ...whose,
  action: Schema.Literal("cancel"),
  performedAt: Timestamp
}).annotations({ identifier: "WatchdogAction" })
export type Action = typeof Action.Type

/** All that was found about an attempt, and what came of it; the oldest first. */
export const Findings = Schema.Struct({
  findings: Schema.Array(Finding),
  actions: Schema.Array(Action),
  overrides: Schema.Array(Override)
}).annotations({ identifier: "WatchdogFindings" })
export type Findings = typeof Findings.Type

/** The body of an override. */
export const OverrideCall = Schema.Struct({
  attemptId: AttemptIdParam,
  resolution: Resolution,
  reason: secretFree(nonBlank(2_000), 2_000)
}).annotations({ identifier: "WatchdogOverrideCall", ...everyIssue })
export type OverrideCall = typeof OverrideCall.Type
