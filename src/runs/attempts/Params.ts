import { Schema } from "effect"
import { TaskIdParam } from "../../board/tasks/Task.ts"
import { IdParam } from "../../kernel/IdParam.ts"

/** The path of what is said about the runs at a task. */
export const RunPath = Schema.Struct({ taskId: TaskIdParam })

/** The id of an attempt that a call is bound to. */
export const AttemptIdParam = IdParam.pipe(
  Schema.nonEmptyString({ message: () => "Expected the id of an attempt" })
).annotations({ description: "The id of the attempt" })
