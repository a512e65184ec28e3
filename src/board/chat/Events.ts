import { Schema } from "effect"
import { optional } from "../../kernel/Optional.ts"
import { Event } from "../../storage/events/Event.ts"
import { ChatRole } from "./ChatSession.ts"

/** Something was said, perhaps in a session that it began; with the task, if the session is about one. */
export class ChatMessageCreated extends Event("chat-message.created", "chat-message", {
  sessionId: Schema.String,
  role: ChatRole,
  taskId: optional(Schema.String)
}) {}

/** A session was deleted, with this many messages. */
export class ChatSessionDeleted extends Event("chat-session.deleted", "chat-session", {
  messageCount: Schema.Int
}) {}
