import { Schema } from "effect"
import { Delivery } from "./Delivery.ts"

/** What a poll has found out: how many deliveries it looked at, and what became of them. */
export const Reconciled = Schema.Struct({
  checked: Schema.Int,
  success: Schema.Int,
  resubmitted: Schema.Int,
  failed: Schema.Int,
  reasonCode: Schema.NullOr(Schema.String).annotations({
    description: "Why some could not be asked for or handed over; null when the relay answered"
  }),
  deliveries: Schema.Array(Delivery)
}).annotations({ identifier: "Reconciled" })
export type Reconciled = typeof Reconciled.Type
