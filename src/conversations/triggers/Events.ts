import { Schema } from "effect"
import { Event } from "../../storage/events/Event.ts"
import { Disposition, hook } from "./Trigger.ts"

const rule = {
  adapterId: Schema.String,
  mappingId: Schema.String,
  workflowId: Schema.String,
  enabled: Schema.Boolean
}

export class TriggerRuleCreated extends Event("relay-trigger-rule.created", "relay-trigger-rule", rule) {}

export class TriggerRuleDisabled extends Event("relay-trigger-rule.disabled", "relay-trigger-rule", rule) {}

/** A message is to start a workflow. The stream is the causal key's. */
export class TriggerRecorded extends Event("external-trigger.recorded", "external-trigger", {
  hook: Schema.Literal(hook),
  adapterId: Schema.String,
  mappingId: Schema.String,
  ruleId: Schema.String,
  workflowId: Schema.String
}) {}

/** What came of it. The stream is the causal key's. */
export class TriggerDispatched extends Event("external-trigger.dispatched", "external-trigger", {
  hook: Schema.Literal(hook),
  adapterId: Schema.String,
  ruleId: Schema.String,
  workflowId: Schema.String,
  disposition: Disposition,
  reasonCode: Schema.String,
  runId: Schema.NullOr(Schema.String)
}) {}
