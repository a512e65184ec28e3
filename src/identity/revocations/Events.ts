import { Schema } from "effect"
import { Event } from "../../storage/events/Event.ts"

/** What was revoked since a copy was made counts again after the copy came back; the stream is the workspace's. */
export class RevocationsKept extends Event("revocations.kept", "board", {
  count: Schema.Int
}) {}
