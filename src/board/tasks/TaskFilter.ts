import { Schema } from "effect"
import { secretFree } from "../../kernel/Incoming.ts"
import { integerText } from "../../kernel/Text.ts"
import { IdentityConflictEntry } from "./Errors.ts"
import { Task, TaskPriority, TaskStatus } from "./Task.ts"

const Statuses = Schema.transform(
  Schema.Union(Schema.String, Schema.Array(Schema.String)),
  Schema.Array(TaskStatus),
  {
    strict: false,
    decode: (value: string | ReadonlyArray<string>) =>
      [value]
        .flat()
        .flatMap((part) => part.split(","))
        .map((part) => part.trim()),
    encode: (statuses) => statuses.join(",")
  }
)

/** A name as the tasks have it, which were stored without their secrets. */
const Name = secretFree(Schema.String)

/** The filters of `GET /tasks`. All given ones must hold; unknown names are ignored. */
export const TaskFilter = Schema.Struct({
  status: Schema.optional(
    Statuses.annotations({ description: "One or more statuses, repeated or separated by commas" })
  ),
  priority: Schema.optional(TaskPriority),
  project: Schema.optional(Name),
  type: Schema.optional(Name),
  assignee: Schema.optional(Name),
  agent: Schema.optional(Name.annotations({ description: "A name among the task's `agents`" })),
  worker: Schema.optional(
    Name.annotations({ description: "A name that is the assignee or among the task's `agents`" })
  ),
  archived: Schema.optional(
    Schema.Literal("true", "false").annotations({
      description: "`true` lists the archive instead of the board"
    })
  ),
  limit: Schema.optional(integerText(1, 10_000)),
  offset: Schema.optional(integerText(0, 10_000_000))
})
export type TaskFilter = typeof TaskFilter.Type

/** What two tasks share that they must not, over the whole board. */
const TaskIdentityDiagnostics = Schema.Struct({
  conflictCount: Schema.Int,
  duplicateIds: Schema.Array(Schema.String),
  conflicts: Schema.Array(IdentityConflictEntry)
}).annotations({ identifier: "TaskIdentityDiagnostics" })

/** The tasks of the board, column by column. `success` and `total` come with the `agent` filter. */
export const TaskList = Schema.Struct({
  tasks: Schema.Array(Task),
  success: Schema.optional(Schema.Boolean),
  total: Schema.optional(Schema.Int),
  meta: Schema.optional(Schema.Struct({ taskIdentityDiagnostics: TaskIdentityDiagnostics }))
}).annotations({ identifier: "TaskList" })

/** How many tasks stand in each column, the archive apart. */
export const TaskCounts = Schema.Struct({
  backlog: Schema.Int,
  todo: Schema.Int,
  "in-progress": Schema.Int,
  blocked: Schema.Int,
  done: Schema.Int,
  cancelled: Schema.Int,
  archived: Schema.Int,
  total: Schema.Int
}).annotations({ identifier: "TaskCounts" })
export type TaskCounts = typeof TaskCounts.Type
