import { Schema } from "effect"
import { IdParam } from "../../kernel/IdParam.ts"
import { optional } from "../../kernel/Optional.ts"
import { everyIssue, Flag, integerText, listOf, nonBlank, text } from "../../kernel/Text.ts"
import { Instant, Timestamp } from "../../kernel/Time.ts"
import { TaskIdParam } from "../tasks/Task.ts"
import { External } from "./External.ts"

/** The kinds of events that the service itself tells the squad (spec 1-core, Squad chat system event). */
export const SystemEventKind = Schema.Literal("spawned", "completed", "failed", "status")
export type SystemEventKind = typeof SystemEventKind.Type

/** Somebody whom a message addresses. A name that stands as `@name` in the text has the kind `actor`. */
export const Mention = Schema.Struct({ target: Schema.String, kind: Schema.String }).annotations({
  identifier: "Mention"
})
export type Mention = typeof Mention.Type

/** A reaction to a message: once for each actor and reaction, in the order in which they came. */
export const Reaction = Schema.Struct({ actor: Schema.String, reaction: Schema.String }).annotations({
  identifier: "Reaction"
})
export type Reaction = typeof Reaction.Type

/**
 * A message of the squad chat, or an event that the service tells there: then `system` is true and `kind` says which
 * (spec 1-core, Squad chat message). `createdBy` is the credential that posted in the name of `agent`; `timestamp`
 * repeats `createdAt`. `external` says where a message comes from that was not said here. Texts hold no secrets: they are redacted before they are stored.
 */
export const SquadMessage = Schema.Struct({
  id: Schema.String.annotations({ description: "`msg_<id>`; `msg_relay_<event id>` for one from a relay" }),
  agent: Schema.String,
  message: Schema.String,
  system: Schema.Boolean,
  kind: optional(SystemEventKind),
  model: optional(Schema.String),
  tags: Schema.Array(Schema.String),
  replyToId: optional(Schema.String),
  mentions: Schema.Array(Mention),
  taskId: optional(Schema.String),
  runId: optional(Schema.String),
  external: optional(External),
  pinned: Schema.Boolean,
  decision: Schema.Boolean,
  reactions: Schema.Array(Reaction),
  createdBy: Schema.String,
  createdAt: Timestamp,
  timestamp: Timestamp
}).annotations({ identifier: "SquadMessage" })
export type SquadMessage = typeof SquadMessage.Type

/** The name of an agent or a person, as authors, readers and mentions have it. */
export const ActorName = nonBlank(200)

/** The id of a message as it comes in a path or a body: whatever it is, an unknown one is a 404. */
export const MessageIdParam = IdParam.annotations({ description: "The id of a squad chat message" })

/** What is said is kept as it was sent, indentation and line ends included; it must not be blank. */
const Said = text(10_000).pipe(
  Schema.filter((said) => said.trim() !== "", { message: () => "Expected text that is not blank" })
)

/** The most mentions of a message, given and found ones together. */
export const mentionLimit = 50

/** The body of a post: who says what, and what it is about. */
export const SquadDraft = Schema.Struct({
  agent: ActorName,
  message: Said,
  model: optional(nonBlank(200)),
  tags: optional(listOf(nonBlank(100), 50)),
  replyToId: optional(MessageIdParam),
  mentions: optional(listOf(Schema.Struct({ target: ActorName, kind: nonBlank(64) }), mentionLimit)),
  taskId: optional(TaskIdParam),
  runId: optional(nonBlank(200)),
  pinned: optional(Schema.Boolean),
  decision: optional(Schema.Boolean)
}).annotations({ identifier: "SquadDraft", ...everyIssue })
export type SquadDraft = typeof SquadDraft.Type

const Limit = integerText(1, 500)

/** The filters of `GET /chat/squad`. */
export const SquadFilter = Schema.Struct({
  limit: Schema.optional(
    Limit.annotations({ description: "At most this many, the newest ones; 50 unless told" })
  ),
  agent: Schema.optional(ActorName.annotations({ description: "Only what this agent said" })),
  since: Schema.optional(Instant.annotations({ description: "Only what was said after this time" })),
  includeSystem: Schema.optional(
    Flag.annotations({ description: "`true` lists the events of the service too" })
  )
})
export type SquadFilter = typeof SquadFilter.Type

/** Whose unread messages to list, and how many. */
export const UnreadFilter = Schema.Struct({
  actor: ActorName,
  limit: Schema.optional(
    Limit.annotations({ description: "At most this many, the oldest ones; 500 unless told" })
  )
})
export type UnreadFilter = typeof UnreadFilter.Type

/** The body of a read: `actor` has read everything up to this message. */
export const ReadMark = Schema.Struct({ actor: ActorName, messageId: MessageIdParam }).annotations({
  identifier: "ReadMark",
  ...everyIssue
})
export type ReadMark = typeof ReadMark.Type

/** How far an actor has read: up to which message, and how many lie beyond it. */
export const ReadPosition = Schema.Struct({
  actor: Schema.String,
  messageId: Schema.String,
  unreadCount: Schema.Int
}).annotations({ identifier: "ReadPosition" })
export type ReadPosition = typeof ReadPosition.Type

/** The body of a pin: the marks that it names change, the other one stays. */
export const Pin = Schema.Struct({
  pinned: optional(Schema.Boolean),
  decision: optional(Schema.Boolean)
})
  .pipe(
    Schema.filter(({ decision, pinned }) => pinned !== undefined || decision !== undefined, {
      message: () => "Expected pinned, decision or both"
    })
  )
  .annotations({ identifier: "Pin", ...everyIssue })
export type Pin = typeof Pin.Type

/** The body of a reaction. */
export const React = Schema.Struct({ actor: ActorName, reaction: nonBlank(64) }).annotations({
  identifier: "React",
  ...everyIssue
})
export type React = typeof React.Type
