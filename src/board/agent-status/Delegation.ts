import { Schema } from "effect"
import { secretFreeJson } from "../../kernel/Incoming.ts"
import { optional } from "../../kernel/Optional.ts"
import { everyIssue, nonBlank } from "../../kernel/Text.ts"
import { Timestamp } from "../../kernel/Time.ts"
import { TaskIdParam } from "../tasks/Task.ts"

/** The most characters of JSON that the details of a report may have. */
const detailsLimit = 16_384

const Details = Schema.Unknown.pipe(
  Schema.filter((details) => JSON.stringify({ details }).length <= detailsLimit, {
    message: () => `Expected at most ${detailsLimit} characters of JSON`
  }),
  secretFreeJson
)

/** The body of a delegation report: which orchestrator did the work itself, and what it did. */
export const DelegationReport = Schema.Struct({
  agent: nonBlank(200),
  taskId: optional(TaskIdParam),
  action: optional(nonBlank(500)),
  details: optional(Details)
}).annotations({ identifier: "DelegationReport", ...everyIssue })
export type DelegationReport = typeof DelegationReport.Type

/** A recorded report. `warning` is the text that went out, or null when the gate is off. */
export const DelegationViolation = Schema.Struct({
  id: Schema.String,
  agent: Schema.String,
  taskId: optional(Schema.String),
  action: optional(Schema.String),
  details: optional(Schema.Unknown),
  warning: Schema.NullOr(Schema.String),
  createdAt: Timestamp
}).annotations({ identifier: "DelegationViolation" })
export type DelegationViolation = typeof DelegationViolation.Type

/** What the squad is told of a report (spec 1-core, Enforcement gates, orchestratorDelegation). */
export const warningOf = ({ action, agent, taskId }: DelegationReport): string => {
  const task = taskId === undefined ? "" : ` on ${taskId}`
  const done = action === undefined ? "" : `: ${action}`
  return `[ORCHESTRATOR_DELEGATION_WARNING] ${agent} did implementation work itself${task}${done}. An orchestrator delegates it.`
}
