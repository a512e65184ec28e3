import { Schema } from "effect"
import { Event } from "../../storage/Event.ts"
import { Reason } from "./client/Reason.ts"

export class AdapterProbed extends Event("communication-adapter.probed", "communication-adapter", {
  status: Schema.Literal("healthy", "unhealthy", "unsupported"),
  reason: Reason
}) {}
