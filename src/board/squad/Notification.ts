import { Schema } from "effect"
import { IdParam } from "../../kernel/IdParam.ts"
import { Flag, integerText } from "../../kernel/Text.ts"
import { Timestamp } from "../../kernel/Time.ts"
import { ActorName } from "./SquadMessage.ts"

/** Tells somebody that a message mentions them, and where it stands (spec 1-core, Squad chat). */
export const Notification = Schema.Struct({
  id: Schema.String,
  actor: Schema.String.annotations({ description: "Who is mentioned, as the message has it" }),
  kind: Schema.Literal("mention"),
  messageId: Schema.String,
  link: Schema.String.annotations({ description: "The path of the message in its thread" }),
  agent: Schema.String.annotations({ description: "Who said it" }),
  taskId: Schema.optionalWith(Schema.String, { exact: true }),
  read: Schema.Boolean,
  createdAt: Timestamp
}).annotations({ identifier: "Notification" })
export type Notification = typeof Notification.Type

/** The id of a notification as it comes in a path: whatever it is, an unknown one is a 404. */
export const NotificationIdParam = IdParam.annotations({ description: "The id of a notification" })

/** Whose notifications to list, and which. */
export const NotificationFilter = Schema.Struct({
  actor: ActorName,
  unread: Schema.optional(Flag.annotations({ description: "`true` lists only those that are not read" })),
  limit: Schema.optional(integerText(1, 500).annotations({ description: "50 unless told" }))
})
export type NotificationFilter = typeof NotificationFilter.Type

/** Where a message can be read, with what it answers and what answers it. */
export const linkTo = (messageId: string): string =>
  `/api/v1/chat/squad/${encodeURIComponent(messageId)}/thread`
