import { Schema } from "effect"
import { Timestamp } from "../../kernel/Time.ts"

/** What became of a message on its way out or in (spec 2-relay, Delivery record). */
export const DeliveryStatus = Schema.Literal(
  "queued",
  "success",
  "delivery_unknown",
  "replayed",
  "ignored",
  "failed",
  "blocked",
  "skipped"
).annotations({ identifier: "DeliveryStatus" })
export type DeliveryStatus = typeof DeliveryStatus.Type

export const Direction = Schema.Literal("outbound", "inbound")
export type Direction = typeof Direction.Type

/** A record of a delivery. It holds coordinates and a code; texts, signatures and keys are never in it. */
export const Delivery = Schema.Struct({
  id: Schema.String.annotations({ description: "`delivery_<id>`; outbound events carry it in a tag" }),
  adapterId: Schema.String,
  direction: Direction,
  status: DeliveryStatus,
  reasonCode: Schema.NullOr(Schema.String),
  detail: Schema.NullOr(Schema.String).annotations({ description: "At most 500 characters, redacted" }),
  squadMessageId: Schema.NullOr(Schema.String),
  eventId: Schema.NullOr(Schema.String),
  kind: Schema.NullOr(Schema.Int),
  pubkey: Schema.NullOr(Schema.String),
  eventCreatedAt: Schema.NullOr(Schema.Int).annotations({
    description: "Seconds since the epoch, as in the event"
  }),
  channelId: Schema.NullOr(Schema.String),
  community: Schema.NullOr(Schema.String),
  actor: Schema.NullOr(Schema.String),
  times: Schema.Int.annotations({ description: "How often it was tried, or seen" }),
  createdAt: Timestamp,
  updatedAt: Timestamp
}).annotations({ identifier: "Delivery" })
export type Delivery = typeof Delivery.Type

/** Which deliveries to list, and how many: 100 unless told. */
export interface DeliveryFilter {
  readonly adapterId?: string | undefined
  readonly direction?: Direction | undefined
  readonly status?: DeliveryStatus | undefined
  readonly squadMessageId?: string | undefined
  readonly limit?: number | undefined
}
