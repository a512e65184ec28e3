import { Schema } from "effect"

/** The task has no checkpoint, or had one that has expired. `resource` tells clients that the task is not what is missing. */
export class CheckpointNotFound extends Schema.TaggedError<CheckpointNotFound>()("CheckpointNotFound", {
  taskId: Schema.String,
  resource: Schema.Literal("checkpoint")
}) {}
