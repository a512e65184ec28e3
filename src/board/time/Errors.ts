import { Schema } from "effect"

/** The timer of the task runs already. */
export class TimerRunning extends Schema.TaggedError<TimerRunning>()("TimerRunning", {
  taskId: Schema.String,
  entryId: Schema.String
}) {}

/** The timer of the task does not run. */
export class TimerStopped extends Schema.TaggedError<TimerStopped>()("TimerStopped", {
  taskId: Schema.String
}) {}

/** The task has no such time entry. */
export class TimeEntryNotFound extends Schema.TaggedError<TimeEntryNotFound>()("TimeEntryNotFound", {
  taskId: Schema.String,
  entryId: Schema.String
}) {}
