import { Schema } from "effect"
import { Issue } from "../../kernel/Failures.ts"

/** The agents contradict one another, or their providers. */
export class AgentsInvalid extends Schema.TaggedError<AgentsInvalid>()("AgentsInvalid", {
  issues: Schema.Array(Issue)
}) {}

/** No agent of this type is configured. */
export class AgentNotConfigured extends Schema.TaggedError<AgentNotConfigured>()("AgentNotConfigured", {
  agent: Schema.String
}) {}
