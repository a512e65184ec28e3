import { Effect } from "effect"
import type { ActorContext } from "../../kernel/Actor.ts"
import { unconditional } from "../../kernel/Revision.ts"
import * as Journal from "../../storage/events/Journal.ts"
import type { Sql } from "../../storage/Sql.ts"
import type { BulkResult, BulkUpdate, TaskIdList } from "./Bulk.ts"
import * as ColumnRepo from "./ColumnRepo.ts"
import type { IdentityConflict, TaskArchived, TaskNotFound } from "./Errors.ts"
import { BoardReordered } from "./Events.ts"
import type { StatusRulesService } from "./StatusRules.ts"
import type { TaskStatus } from "./Task.ts"
import { archiveTask } from "./TaskArchive.ts"
import { findForWrite } from "./TaskChange.ts"
import { patchTask } from "./TaskPatch.ts"
import * as TaskRepo from "./TaskRepo.ts"

const messages: Readonly<Record<string, { readonly code: string; readonly message: string }>> = {
  TaskNotFound: { code: "NOT_FOUND", message: "The task does not exist" },
  IdentityConflict: { code: "CONFLICT", message: "Duplicate task identity detected" },
  TaskArchived: { code: "CONFLICT", message: "The task is archived" },
  ClaimTakenOver: { code: "CONFLICT", message: "Your claim lapsed, and somebody else took the task over" },
  TaskStateConflict: {
    code: "CONFLICT",
    message: "The task is in progress: complete, block or cancel it first"
  },
  TaskFull: { code: "CONFLICT", message: "The task would grow beyond its limit" },
  AttemptHoldsEvidence: { code: "CONFLICT", message: "The task's attempt holds evidence of a run" },
  AttemptEvidenceInvalid: { code: "VALIDATION_ERROR", message: "Evidence of a run can't be set" },
  ReviewGateFailed: { code: "REVIEW_GATE_FAILED", message: "All four review scores must be 10" },
  ClosingCommentRequired: { code: "CLOSING_COMMENT_REQUIRED", message: "A closing comment is missing" },
  CeremonyRequired: { code: "CEREMONY_REQUIRED", message: "A ceremony that waits must be completed first" },
  AutoTelemetryFailed: { code: "AUTO_TELEMETRY_FAILED", message: "The run telemetry could not be stored" },
  AutoTimeTrackingFailed: { code: "AUTO_TIME_TRACKING_FAILED", message: "The timer could not be stored" }
}

/**
 * Does one thing to each task. What is refused is reported and does not hold up the others; every refusal is decided
 * before that task is written, so a task is changed as a whole or not at all.
 */
const each = <E extends { readonly _tag: string }>(
  taskIds: ReadonlyArray<string>,
  change: (id: string) => Effect.Effect<TaskRepo.TaskRow, E, Sql>
): Effect.Effect<BulkResult, never, Sql> =>
  Effect.gen(function* () {
    const changed: Array<TaskRepo.TaskRow> = []
    const failed: Array<BulkResult["failed"][number]> = []
    for (const id of new Set(taskIds)) {
      yield* Effect.match(change(id), {
        onSuccess: (row) => {
          changed.push(row)
        },
        onFailure: (error) => {
          const known = messages[error._tag] ?? { code: "CONFLICT", message: "The task can't be changed" }
          failed.push({ id, ...known })
        }
      })
    }
    return {
      success: failed.length === 0,
      updated: changed.map(({ task }) => task.id),
      failed,
      tasks: yield* Effect.forEach(changed, TaskRepo.shown)
    }
  })

/** Applies one patch to many tasks; a change of status passes the gates for each of them. */
export const bulkUpdate = (rules: StatusRulesService, { taskIds, updates }: BulkUpdate, by: ActorContext) =>
  each(taskIds, (id) =>
    patchTask(rules, id, updates, { operation: "update", by, precondition: unconditional })
  )

/** Archives many tasks. */
export const bulkArchive = ({ taskIds }: TaskIdList, by: ActorContext) =>
  each(taskIds, (id) => archiveTask(id, { operation: "archive", by, precondition: unconditional }))

/**
 * Puts the named tasks, in this order, at the front of their columns; the others keep their order behind them. One
 * unknown id, and nothing changes. No revision is raised: the cards did not change, their order did.
 */
export const reorder = (
  { taskIds }: TaskIdList,
  by: ActorContext
): Effect.Effect<ReadonlyArray<string>, TaskNotFound | IdentityConflict | TaskArchived, Sql> =>
  Effect.gen(function* () {
    const write = { operation: "reorder", by, precondition: unconditional }
    const named: Array<TaskRepo.TaskRow> = []
    for (const id of new Set(taskIds)) {
      named.push(
        yield* findForWrite(id, write).pipe(
          Effect.catchTags({ ClaimTakenOver: Effect.die, RevisionConflict: Effect.die })
        )
      )
    }
    const ordered: Array<string> = []
    for (const status of new Set(named.map(({ task }) => task.status))) {
      ordered.push(
        ...(yield* reorderColumn(
          status,
          named.filter(({ task }) => task.status === status)
        ))
      )
      yield* Journal.record(new BoardReordered({ resourceId: status }), by)
    }
    return ordered
  })

const reorderColumn = (
  status: TaskStatus,
  front: ReadonlyArray<TaskRepo.TaskRow>
): Effect.Effect<ReadonlyArray<string>, never, Sql> =>
  Effect.gen(function* () {
    const rowsInFront = new Set(front.map(({ row }) => row))
    const column = yield* ColumnRepo.orderedIds(status)
    const next = [
      ...front.map(({ row, task }) => ({ row, id: task.id })),
      ...column.filter(({ row }) => !rowsInFront.has(row))
    ]
    for (const [position, member] of next.entries()) {
      if (column[position]?.row !== member.row) yield* ColumnRepo.place(member.row, position)
    }
    return next.map(({ id }) => id)
  })
