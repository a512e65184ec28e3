import { Schema } from "effect"
import { everyIssue, listOf } from "../../kernel/Text.ts"
import { Task, TaskIdParam, TaskPatch } from "./Task.ts"

/** Up to 500 task ids; one that is named twice counts once. */
export const TaskIds = listOf(TaskIdParam, 500).pipe(
  Schema.minItems(1, { message: () => "Expected at least one task id" })
)

export const BulkUpdate = Schema.Struct({ taskIds: TaskIds, updates: TaskPatch }).annotations({
  identifier: "BulkUpdate",
  ...everyIssue
})
export type BulkUpdate = typeof BulkUpdate.Type

export const TaskIdList = Schema.Struct({ taskIds: TaskIds }).annotations({
  identifier: "TaskIdList",
  ...everyIssue
})
export type TaskIdList = typeof TaskIdList.Type

/** What a bulk operation did, task by task. `success` is true when none of them failed. */
export const BulkResult = Schema.Struct({
  success: Schema.Boolean,
  updated: Schema.Array(Schema.String),
  failed: Schema.Array(Schema.Struct({ id: Schema.String, code: Schema.String, message: Schema.String })),
  tasks: Schema.Array(Task)
}).annotations({ identifier: "BulkResult" })
export type BulkResult = typeof BulkResult.Type

/** The new order of a column. */
export const ReorderResult = Schema.Struct({
  success: Schema.Boolean,
  orderedTaskIds: Schema.Array(Schema.String)
}).annotations({ identifier: "ReorderResult" })
