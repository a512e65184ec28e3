import { Schema } from "effect"
import { IdParam } from "../../kernel/IdParam.ts"
import { secretFree } from "../../kernel/Incoming.ts"
import { optional } from "../../kernel/Optional.ts"
import { nonBlank, strict, text } from "../../kernel/Text.ts"
import { Timestamp } from "../../kernel/Time.ts"
import { PublicKey } from "../adapters/Adapter.ts"

/** The most rules of an adapter. */
export const ruleLimit = 100

/** The id of a rule as it comes in a path: whatever it is, an unknown one is a 404. */
export const RuleIdParam = IdParam.annotations({ description: "The id of a workflow trigger rule" })

/** What a message must contain, capital and small letters alike. It is text and never a pattern. */
const Contained = secretFree(
  text(200).pipe(
    Schema.filter((part) => part.trim() !== "", { message: () => "Expected text that is not blank" })
  )
).annotations({
  description: "1 to 200 characters that stand in the message, capital and small letters alike"
})

/** The body of a new rule. It takes no pattern, no expression, no code and no kind of event. */
export const TriggerBody = Schema.Struct({
  mappingId: IdParam,
  workflowId: nonBlank(200),
  contentIncludes: optional(Contained),
  authorPubkey: optional(PublicKey)
}).annotations({ identifier: "WorkflowTriggerBody", ...strict })
export type TriggerBody = typeof TriggerBody.Type

/** When a message of a mapped channel starts a workflow (spec 2-relay, Workflow trigger rule). */
export const TriggerRule = Schema.Struct({
  schemaVersion: Schema.Literal("relay-workflow-trigger/v1"),
  id: Schema.String.annotations({ description: "`trigger_<id>`" }),
  adapterId: Schema.String,
  mappingId: Schema.String,
  workflowId: Schema.String,
  event: Schema.Literal("message.posted"),
  contentIncludes: optional(Schema.String),
  authorPubkey: optional(Schema.String),
  enabled: Schema.Boolean,
  createdBy: Schema.String.annotations({ description: "In whose name its runs execute" }),
  createdAt: Timestamp,
  updatedAt: Timestamp
}).annotations({ identifier: "WorkflowTriggerRule" })
export type TriggerRule = typeof TriggerRule.Type

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
