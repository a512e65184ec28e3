import { Schema } from "effect"
import { everyIssue, integer, text } from "../../kernel/Text.ts"

/** The longest stretch of time that one entry may claim: 30 days, in milliseconds. */
export const longestEntry = 30 * 24 * 60 * 60 * 1_000

/** Time that was spent without the timer. */
export const TimeEntryDraft = Schema.Struct({
  durationMs: integer(1, longestEntry),
  description: Schema.optionalWith(text(2_000), { exact: true })
}).annotations({ identifier: "TimeEntryDraft", ...everyIssue })

const TaskTime = Schema.Struct({
  taskId: Schema.String,
  title: Schema.String,
  project: Schema.NullOr(Schema.String),
  totalMs: Schema.Int,
  isRunning: Schema.Boolean
})

/** The time spent on the board, archive included; running timers count up to their last stop. */
export const TimeSummary = Schema.Struct({
  totalMs: Schema.Int,
  byTask: Schema.Array(TaskTime).annotations({ description: "The 1,000 tasks with the most time" }),
  byProject: Schema.Array(Schema.Struct({ project: Schema.NullOr(Schema.String), totalMs: Schema.Int })),
  runningTasks: Schema.Array(TaskTime)
}).annotations({ identifier: "TimeSummary" })
