import { Schema } from "effect"
import { Event } from "../../storage/events/Event.ts"

/** The agents that there are now, and which of them is the default. */
export class AgentsUpdated extends Event("config.agents-updated", "config", {
  types: Schema.Array(Schema.String),
  defaultAgent: Schema.NullOr(Schema.String)
}) {}
