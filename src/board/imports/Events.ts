import { Schema } from "effect"
import { Event } from "../../storage/events/Event.ts"
import { taskChange } from "../tasks/Events.ts"
import { TaskStatus } from "../tasks/Task.ts"

/** A task that was brought along from elsewhere. */
export class TaskImported extends Event("task.imported", "task", {
  ...taskChange,
  to: TaskStatus
}) {}

/** A task that shared its id with another has one of its own now; the stream is the new id's. */
export class TaskRenamed extends Event("task.renamed", "task", {
  ...taskChange,
  from: Schema.String
}) {}
