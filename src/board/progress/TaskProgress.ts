import { Schema } from "effect"
import { everyIssue, nonBlank, text } from "../../kernel/Text.ts"
import { Progress } from "../tasks/TaskParts.ts"

/** The most characters of the content of a task's progress. */
export const contentLimit = 200_000

/** The progress of a task (spec 1-core, `GET /tasks/:id/progress`); without any, the content is empty. */
export const TaskProgress = Schema.Struct({
  taskId: Schema.String,
  ...Progress.fields,
  updatedAt: Schema.NullOr(Progress.fields.updatedAt)
}).annotations({ identifier: "TaskProgress" })
export type TaskProgress = typeof TaskProgress.Type

/** The body that sets the content as a whole; entries stay as they are. */
export const ProgressUpdate = Schema.Struct({ content: text(contentLimit) }).annotations({
  identifier: "ProgressUpdate",
  ...everyIssue
})

const optionalText = Schema.optionalWith(nonBlank(10_000), { exact: true })

/** The body of a new entry: its text, as `text` or `content`, and the section that it belongs to. */
export const ProgressAppend = Schema.Struct({
  text: optionalText,
  content: optionalText,
  section: Schema.optionalWith(nonBlank(200), { exact: true })
})
  .pipe(
    Schema.filter((body) =>
      body.text === undefined && body.content === undefined
        ? { path: ["text"], message: "Expected the text of the entry" }
        : undefined
    )
  )
  .annotations({ identifier: "ProgressAppend", ...everyIssue })
