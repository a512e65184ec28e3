import { Schema } from "effect"

/** The task is not there for the taking: it is not in `todo`, or it was given to somebody else. */
export class TaskNotClaimable extends Schema.TaggedError<TaskNotClaimable>()("TaskNotClaimable", {
  taskId: Schema.String,
  status: Schema.String,
  reason: Schema.Literal("not-todo", "given-to-others"),
  /** Who has it, or was given it: its assignee, else its agents. */
  holders: Schema.Array(Schema.String)
}) {}
