import { Schema } from "effect"
import { optional } from "../../kernel/Optional.ts"
import { Timestamp } from "../../kernel/Time.ts"

/** The most edits, and the most deletions, that a message shows: the newest ones. */
export const changeLimit = 20

/** That somebody changed or deleted the message elsewhere. Here its text stays. */
export const ExternalChange = Schema.Struct({
  eventId: Schema.String,
  targetEventId: Schema.String,
  authorPubkey: Schema.String,
  kind: Schema.Int,
  sourceTimestamp: Timestamp
}).annotations({ identifier: "ExternalChange" })
export type ExternalChange = typeof ExternalChange.Type

/** Where a message comes from that was not said here (spec 2-relay, Inbound event projection). */
export const External = Schema.Struct({
  provider: Schema.Literal("relay", "teamchat"),
  eventId: Schema.String,
  channelId: optional(Schema.String),
  community: optional(Schema.String),
  authorPubkey: optional(Schema.String),
  sourceTimestamp: optional(Timestamp),
  kind: optional(Schema.Int),
  link: optional(Schema.String),
  threadId: optional(Schema.String),
  actor: optional(Schema.String),
  truncated: optional(Schema.Boolean).annotations({
    description: "True when the text is longer at its source than what is shown here"
  }),
  edits: optional(Schema.Array(ExternalChange)),
  deletions: optional(Schema.Array(ExternalChange))
}).annotations({ identifier: "SquadExternal" })
export type External = typeof External.Type
