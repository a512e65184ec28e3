import { Schema } from "effect"
import { IdParam } from "../../kernel/IdParam.ts"
import { optional } from "../../kernel/Optional.ts"
import { everyIssue, nonBlank } from "../../kernel/Text.ts"
import { Timestamp } from "../../kernel/Time.ts"
import { TaskIdParam } from "../tasks/Task.ts"

/** The most messages that one session holds. */
export const messageLimit = 10_000

/** Who speaks: somebody with a person's credential, or an agent. */
export const ChatRole = Schema.Literal("user", "assistant").annotations({ identifier: "ChatRole" })
export type ChatRole = typeof ChatRole.Type

/** One message of a session. */
export const ChatMessage = Schema.Struct({
  id: Schema.String,
  role: ChatRole,
  author: Schema.String,
  content: Schema.String,
  createdAt: Timestamp
}).annotations({ identifier: "ChatMessage" })
export type ChatMessage = typeof ChatMessage.Type

/** A conversation with an agent, perhaps about a task. */
export const ChatSession = Schema.Struct({
  id: Schema.String,
  agent: Schema.NullOr(Schema.String),
  taskId: Schema.NullOr(Schema.String),
  messageCount: Schema.Int,
  createdBy: Schema.String,
  createdAt: Timestamp,
  updatedAt: Timestamp
}).annotations({ identifier: "ChatSession" })
export type ChatSession = typeof ChatSession.Type

/** The id of a session as it comes in a path or a body. */
export const SessionIdParam = IdParam.annotations({ description: "The id of a chat session" })

/** The body of a message. Without a session it begins one, with this agent and about this task. */
export const ChatSend = Schema.Struct({
  sessionId: optional(SessionIdParam),
  message: nonBlank(20_000),
  agent: optional(nonBlank(200)),
  taskId: optional(TaskIdParam)
}).annotations({ identifier: "ChatSend", ...everyIssue })
export type ChatSend = typeof ChatSend.Type

/** What was said, and where. */
export const ChatSent = Schema.Struct({ sessionId: Schema.String, message: ChatMessage }).annotations({
  identifier: "ChatSent"
})
export type ChatSent = typeof ChatSent.Type

/** What was said in a session, oldest first. */
export const ChatHistory = Schema.Struct({
  sessionId: Schema.String,
  messages: Schema.Array(ChatMessage)
}).annotations({ identifier: "ChatHistory" })
export type ChatHistory = typeof ChatHistory.Type
