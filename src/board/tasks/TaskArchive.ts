import { Effect } from "effect"
import { iso, now } from "../../kernel/Time.ts"
import type { Sql } from "../../storage/Sql.ts"
import * as ColumnRepo from "./ColumnRepo.ts"
import { type TaskFull, TaskStateConflict } from "./Errors.ts"
import { TaskArchived, TaskRestored } from "./Events.ts"
import * as Identities from "./IdentityRepo.ts"
import { identitiesOf, type StoredTask } from "./Task.ts"
import { commit, findForWrite, identityConflict, type Write, type WriteRefused } from "./TaskChange.ts"
import * as TaskRepo from "./TaskRepo.ts"
import * as Timer from "./Timer.ts"

/**
 * Takes a task off the board and keeps it. Work in progress is not archived: it must end or be stopped first. A timer
 * that runs is stopped: nobody could stop it later.
 */
export const archiveTask = (
  id: string,
  write: Write
): Effect.Effect<TaskRepo.TaskRow, WriteRefused | TaskStateConflict | TaskFull, Sql> =>
  Effect.gen(function* () {
    const before = yield* findForWrite(id, write)
    if (before.task.status === "in-progress") {
      const reason = "It is in progress: complete, block or cancel it first"
      return yield* stateConflict(before.task, write, reason)
    }
    const at = yield* now
    yield* ColumnRepo.closeGap(before.task.status, before.position)
    const { timeTracking } = before.task
    const task: StoredTask = {
      ...before.task,
      archived: true,
      archivedAt: iso(at),
      timeTracking: timeTracking.isRunning ? Timer.stop(timeTracking, at) : timeTracking
    }
    return yield* commit(
      before,
      { task, position: yield* TaskRepo.archiveSize, at },
      write,
      (changed) => new TaskArchived(changed)
    )
  })

/** Brings an archived task back to the end of the column that it left, unless another one claims its identity now. */
export const restoreTask = (
  id: string,
  write: Write
): Effect.Effect<TaskRepo.TaskRow, WriteRefused | TaskStateConflict | TaskFull, Sql> =>
  Effect.gen(function* () {
    const before = yield* findForWrite(id, write, { archived: true })
    if (!before.task.archived) return yield* stateConflict(before.task, write, "It is not archived")
    const { archivedAt: _, ...kept } = before.task
    const task: StoredTask = { ...kept, archived: false }
    const conflicts = yield* Identities.taken(before.row, identitiesOf(task))
    if (conflicts.length > 0) return yield* identityConflict(write.operation, id, conflicts)
    const position = yield* ColumnRepo.columnSize(task.status)
    return yield* commit(before, { task, position }, write, (changed) => new TaskRestored(changed))
  })

/** The refusal of an operation that does not fit the task as it is. */
export const stateConflict = (task: StoredTask, write: Write, reason: string): TaskStateConflict =>
  new TaskStateConflict({ taskId: task.id, operation: write.operation, status: task.status, reason })
