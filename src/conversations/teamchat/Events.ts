import { Schema } from "effect"
import { Event } from "../../storage/events/Event.ts"
import { DeliveryStatus } from "../deliveries/Delivery.ts"

const delivery = { adapterId: Schema.String, status: DeliveryStatus }

export class DeliveryBegun extends Event(
  "communication-delivery.begun",
  "communication-delivery",
  delivery
) {}

export class DeliverySettled extends Event(
  "communication-delivery.settled",
  "communication-delivery",
  delivery
) {}
