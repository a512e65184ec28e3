import { Schema } from "effect"
import { optional } from "../../kernel/Optional.ts"
import { Event } from "../../storage/events/Event.ts"
import { SystemEventKind } from "./SquadMessage.ts"

/** A message, or what the service tells: that has a `kind`. `mentions` counts whom it names. */
export class SquadMessageCreated extends Event("squad-message.created", "squad-message", {
  system: Schema.Boolean,
  mentions: Schema.Int,
  kind: optional(SystemEventKind),
  replyToId: optional(Schema.String),
  taskId: optional(Schema.String)
}) {}

/** A message was edited or deleted where it comes from: so often by now. */
export class SquadMessageUpdated extends Event("squad-message.updated", "squad-message", {
  edits: Schema.Int,
  deletions: Schema.Int
}) {}

/** The marks of a message as they are now. */
export class SquadMessagePinned extends Event("squad-message.pinned", "squad-message", {
  pinned: Schema.Boolean,
  decision: Schema.Boolean
}) {}

/** Somebody reacted to a message, which now has this many reactions. */
export class SquadMessageReacted extends Event("squad-message.reacted", "squad-message", {
  reactions: Schema.Int
}) {}

/** Somebody has read everything up to a message. The stream is the reader's. */
export class SquadReadAdvanced extends Event("squad-read.advanced", "squad-read", {
  messageId: Schema.String
}) {}

export class NotificationRead extends Event("notification.read", "notification", {
  messageId: Schema.String
}) {}
