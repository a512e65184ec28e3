import { Schema } from "effect"

/** The comment is somebody else's. */
export class NotTheAuthor extends Schema.TaggedError<NotTheAuthor>()("NotTheAuthor", {
  taskId: Schema.String,
  commentId: Schema.String
}) {}

/** The task has no such comment. */
export class CommentNotFound extends Schema.TaggedError<CommentNotFound>()("CommentNotFound", {
  taskId: Schema.String,
  commentId: Schema.String
}) {}
