import { Schema } from "effect"

/** No chat session has this id. */
export class ChatSessionNotFound extends Schema.TaggedError<ChatSessionNotFound>()("ChatSessionNotFound", {
  sessionId: Schema.String
}) {}

/** The session holds as many messages as it can. */
export class ChatSessionFull extends Schema.TaggedError<ChatSessionFull>()("ChatSessionFull", {
  sessionId: Schema.String,
  limit: Schema.Int
}) {}
