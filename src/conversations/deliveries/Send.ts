import { Schema } from "effect"
import { IdParam } from "../../kernel/IdParam.ts"
import { optional } from "../../kernel/Optional.ts"
import { everyIssue, nonBlank, text } from "../../kernel/Text.ts"
import { DeliveryStatus } from "./Delivery.ts"

/** The body of a send (spec 2-relay, Send request). The message goes out as it is, without its secrets. */
export const SendRequest = Schema.Struct({
  target: Schema.Struct({ kind: Schema.Literal("squad"), squadMessageId: IdParam }),
  replyToSquadMessageId: optional(IdParam),
  message: text(10_000).pipe(
    Schema.filter((said) => said.trim() !== "", { message: () => "Expected text that is not blank" })
  ),
  actor: nonBlank(200)
}).annotations({ identifier: "SendRequest", ...everyIssue })
export type SendRequest = typeof SendRequest.Type

/** Which event a message became. The signature is never shown. */
export const EventCoordinate = Schema.Struct({
  id: Schema.String,
  pubkey: Schema.String,
  kind: Schema.Int,
  createdAt: Schema.Int.annotations({ description: "Seconds since the epoch, as in the event" }),
  channelId: Schema.String,
  community: Schema.String
}).annotations({ identifier: "EventCoordinate" })
export type EventCoordinate = typeof EventCoordinate.Type

/** What came of a send: the event, and where its delivery stands. */
export const Sent = Schema.Struct({
  deliveryId: Schema.String,
  status: DeliveryStatus,
  event: Schema.NullOr(EventCoordinate),
  reasonCode: optional(Schema.String),
  message: optional(Schema.String)
}).annotations({ identifier: "Sent" })
export type Sent = typeof Sent.Type
