import { Schema } from "effect"
import { Timestamp } from "../../kernel/Time.ts"

/** The hook through which messages start workflows, whoever the provider of the message is. */
export const hook = "workflow.pre-external-trigger"

/** How many audits are kept for an adapter. */
export const keptAudits = 500

/** What became of a message for a rule. `waiting`: it is written down, and its workflow is still to be started. */
export const Disposition = Schema.Literal(
  "launched",
  "waiting",
  "replayed",
  "ignored",
  "mismatch",
  "disabled",
  "denied",
  "failed"
).annotations({ identifier: "TriggerDisposition" })
export type Disposition = typeof Disposition.Type

/** What became of an event for a rule, and why. It holds ids and codes; what was said is not in it. */
export const TriggerAudit = Schema.Struct({
  id: Schema.String,
  adapterId: Schema.String,
  mappingId: Schema.String,
  ruleId: Schema.String,
  workflowId: Schema.String,
  event: Schema.Literal("message.posted").annotations({ description: "What the rule waits for" }),
  hook: Schema.Literal(hook),
  causalKey: Schema.String.annotations({ description: "`relay:{community}:{eventId}:{ruleId}`" }),
  community: Schema.String,
  channelId: Schema.String,
  eventId: Schema.String,
  authorPubkey: Schema.String,
  kind: Schema.Int,
  disposition: Disposition,
  reasonCode: Schema.String,
  runId: Schema.NullOr(Schema.String),
  times: Schema.Int.annotations({ description: "How often it came to the same" }),
  createdAt: Timestamp,
  updatedAt: Timestamp
}).annotations({ identifier: "WorkflowTriggerAudit" })
export type TriggerAudit = typeof TriggerAudit.Type
