import { Schema } from "effect"

/** The adapter has no such mapping. */
export class TriggerMappingNotFound extends Schema.TaggedError<TriggerMappingNotFound>()(
  "TriggerMappingNotFound",
  { mappingId: Schema.String }
) {}

/** The mapping is switched off. */
export class TriggerMappingDisabled extends Schema.TaggedError<TriggerMappingDisabled>()(
  "TriggerMappingDisabled",
  { mappingId: Schema.String }
) {}

/** There is no such workflow to start. */
export class TriggerWorkflowNotFound extends Schema.TaggedError<TriggerWorkflowNotFound>()(
  "TriggerWorkflowNotFound",
  { workflowId: Schema.String }
) {}

/** The adapter has no such rule. */
export class TriggerRuleNotFound extends Schema.TaggedError<TriggerRuleNotFound>()("TriggerRuleNotFound", {
  ruleId: Schema.String
}) {}

/** The adapter has as many rules as it can, and all of them are switched on. */
export class TriggerRuleLimitReached extends Schema.TaggedError<TriggerRuleLimitReached>()(
  "TriggerRuleLimitReached",
  { limit: Schema.Int }
) {}
