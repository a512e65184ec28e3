import { Schema } from "effect"
import { optional } from "../../kernel/Optional.ts"
import { Event } from "../../storage/events/Event.ts"
import { DeliveryStatus } from "../deliveries/Delivery.ts"
import { Reason } from "../wire/Reason.ts"

/** The reason says why nothing goes out. */
export class DeliveryCreated extends Event("communication-delivery.created", "communication-delivery", {
  adapterId: Schema.String,
  status: DeliveryStatus,
  squadMessageId: Schema.String,
  reasonCode: optional(Reason)
}) {}

/** What an attempt came to. */
export class DeliveryUpdated extends Event("communication-delivery.updated", "communication-delivery", {
  status: Schema.Literal("success", "failed", "Unknown", "Queued"),
  reason: Reason
}) {}
