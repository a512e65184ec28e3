import { Schema } from "effect"
import { optional } from "../../kernel/Optional.ts"
import { Event } from "../../storage/events/Event.ts"

/** A reply waits for the event that it answers. */
export class RelayEventHeld extends Event("relay-event.pending", "relay-event", {
  adapterId: Schema.String,
  waitsFor: Schema.String
}) {}

/** An event that is no message: its kind, why it is none, and the event that it is about. */
const noMessage = {
  adapterId: Schema.String,
  eventKind: Schema.Int,
  reason: Schema.String,
  targetEventId: optional(Schema.String)
}

export class RelayEventNoted extends Event("relay-event.noted", "relay-event", noMessage) {}

export class RelayEventIgnored extends Event("relay-event.ignored", "relay-event", noMessage) {}
