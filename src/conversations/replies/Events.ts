import { Schema } from "effect"
import { Event } from "../../storage/events/Event.ts"

/**
 * Through which adapter it came, and whether it is about an approval. The stream is that of the message that it became.
 */
const reply = { adapterId: Schema.String, approval: Schema.Boolean }

export class ReplyReceived extends Event("communication-reply.received", "communication-reply", reply) {}

/** It came again. */
export class ReplyReplayed extends Event("communication-reply.replayed", "communication-reply", reply) {}
