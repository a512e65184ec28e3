import { Schema } from "effect"
import { Event } from "../../storage/events/Event.ts"

export class TracesEnabled extends Event("traces.enabled", "traces", {
  enabled: Schema.Literal(true)
}) {}

export class TracesDisabled extends Event("traces.disabled", "traces", {
  enabled: Schema.Literal(false)
}) {}
