import { Schema } from "effect"
import { optional } from "../../kernel/Optional.ts"
import { Event } from "../../storage/events/Event.ts"
import { AuditedSource } from "./ImportSource.ts"

/** What every event of a profile says: the revision that it left, and where the profile comes from. */
const profileChange = {
  revision: Schema.Int,
  enabled: Schema.Boolean,
  source: optional(AuditedSource)
}

export class AgentProfileCreated extends Event("agent-profile.created", "agent-profile", profileChange) {}

export class AgentProfileUpdated extends Event("agent-profile.updated", "agent-profile", profileChange) {}

/** The revision is the one that went. */
export class AgentProfileDeleted extends Event("agent-profile.deleted", "agent-profile", profileChange) {}
