import { Schema } from "effect"

/** What a run would begin with could not be captured: nothing was started (spec 3-runs, Limits: fails closed). */
export class WorkspaceUnreadable extends Schema.TaggedError<WorkspaceUnreadable>()("WorkspaceUnreadable", {
  taskId: Schema.String,
  path: Schema.String,
  reason: Schema.String
}) {}
