import { Schema } from "effect"

/** No message of the squad chat has this id. */
export class SquadMessageNotFound extends Schema.TaggedError<SquadMessageNotFound>()("SquadMessageNotFound", {
  messageId: Schema.String
}) {}

/** No notification has this id. */
export class NotificationNotFound extends Schema.TaggedError<NotificationNotFound>()("NotificationNotFound", {
  notificationId: Schema.String
}) {}

/** The message has as many reactions as a message can have. */
export class ReactionsFull extends Schema.TaggedError<ReactionsFull>()("ReactionsFull", {
  messageId: Schema.String,
  limit: Schema.Int
}) {}
