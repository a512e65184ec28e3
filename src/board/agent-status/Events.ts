import { Schema } from "effect"
import { optional } from "../../kernel/Optional.ts"
import { Event } from "../../storage/events/Event.ts"

/** The fields that were reported, and how many agents are at work since. */
export class AgentStatusUpdated extends Event("agent-status.updated", "agent-status", {
  fields: Schema.Array(Schema.String),
  subAgentCount: Schema.Int,
  activeAgents: Schema.Int
}) {}

/** An orchestrator did the work itself; the squad was warned of it if the gate was on. */
export class DelegationViolationReported extends Event(
  "delegation-violation.reported",
  "delegation-violation",
  { warned: Schema.Boolean, taskId: optional(Schema.String) }
) {}
