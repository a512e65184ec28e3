import { Effect } from "effect"
import { unconditional } from "../../kernel/Revision.ts"
import * as Journal from "../../storage/events/Journal.ts"
import type { Sql } from "../../storage/Sql.ts"
import * as ColumnRepo from "./ColumnRepo.ts"
import type { TaskFull, TaskStateConflict } from "./Errors.ts"
import { TaskDeleted, TaskUpdated } from "./Events.ts"
import { commit, findForWrite, type Write, type WriteRefused } from "./TaskChange.ts"
import type { TaskRemoval } from "./TaskRemoval.ts"
import * as TaskRepo from "./TaskRepo.ts"

/**
 * Deletes a task for good, with what other rooms keep about it and the edges that lead to it: the tasks that depended
 * on it no longer do.
 */
export const deleteTask = (
  removals: ReadonlyArray<TaskRemoval>,
  id: string,
  write: Write
): Effect.Effect<void, WriteRefused | TaskFull | TaskStateConflict, Sql> =>
  Effect.gen(function* () {
    const found = yield* findForWrite(id, write, { archived: true })
    for (const { admit } of removals) if (admit !== undefined) yield* admit(found.task, write.operation)
    for (const dependentId of yield* TaskRepo.dependentIds(id)) {
      if (dependentId !== id) yield* forget(dependentId, id, write)
    }
    if (!found.task.archived) yield* ColumnRepo.closeGap(found.task.status, found.position)
    for (const removal of removals) yield* removal.forget(id)
    yield* TaskRepo.remove(found)
    const { revision, status } = found.task
    yield* Journal.record(new TaskDeleted({ resourceId: id, revision, from: status }), write.by)
  })

const forget = (dependentId: string, id: string, write: Write): Effect.Effect<void, TaskFull, Sql> =>
  Effect.gen(function* () {
    for (const dependent of yield* TaskRepo.findAll(dependentId)) {
      const dependencies = dependent.task.dependencies.filter((dependency) => dependency !== id)
      if (dependencies.length === dependent.task.dependencies.length) continue
      yield* commit(
        dependent,
        { task: { ...dependent.task, dependencies } },
        { ...write, precondition: unconditional },
        (changed) => new TaskUpdated({ ...changed, fields: ["dependencies"] })
      )
    }
  })
