import { Schema } from "effect"
import { Event } from "../../storage/events/Event.ts"

/** The settings that were named, and the gates among them; none when the gates were removed. */
export class SettingsUpdated extends Event("settings.updated", "settings", {
  fields: Schema.Array(Schema.String),
  gates: Schema.Array(Schema.String)
}) {}
