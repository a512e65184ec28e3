import { Schema } from "effect"
import { integerText, nonBlank } from "../../kernel/Text.ts"
import { AdapterIdParam } from "../adapters/Adapter.ts"
import { DeliveryStatus, Direction } from "../deliveries/Delivery.ts"

/** The query of a list of deliveries. */
export const DeliveryQuery = Schema.Struct({
  adapterId: Schema.optional(AdapterIdParam),
  direction: Schema.optional(Direction),
  status: Schema.optional(DeliveryStatus),
  squadMessageId: Schema.optional(nonBlank(200)),
  limit: Schema.optional(integerText(1, 500).annotations({ description: "100 unless told" }))
})

/** The query of a list of threads. */
export const ThreadQuery = Schema.Struct({
  adapterId: Schema.optional(AdapterIdParam),
  squadMessageId: Schema.optional(nonBlank(200)),
  limit: Schema.optional(integerText(1, 500).annotations({ description: "100 unless told" }))
})
