import { Schema } from "effect"

/** The task has no such comment. */
export class CommentNotFound extends Schema.TaggedError<CommentNotFound>()("CommentNotFound", {
  taskId: Schema.String,
  commentId: Schema.String
}) {}
