import { Schema } from "effect"
import { Event } from "../../storage/events/Event.ts"
import { Reason } from "../wire/Reason.ts"

export class AdapterProbed extends Event("communication-adapter.probed", "communication-adapter", {
  status: Schema.Literal("healthy", "unhealthy", "unsupported"),
  reason: Reason
}) {}
