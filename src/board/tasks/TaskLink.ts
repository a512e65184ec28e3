import { Effect } from "effect"
import type { Sql } from "../../storage/Sql.ts"
import { TaskFull } from "./Errors.ts"
import { TaskUpdated } from "./Events.ts"
import { externalWorkItemLimit, type StoredTask } from "./Task.ts"
import { commit, findForWrite, type Write, type WriteRefused } from "./TaskChange.ts"
import type { Backlink } from "./TaskParts.ts"
import { refuseTakenIdentities } from "./TaskPatch.ts"
import type { TaskRow } from "./TaskRepo.ts"

/** Fails when a task has no room for one more item of a tracker. */
export const requireRoom = ({ externalWorkItems, id }: StoredTask): Effect.Effect<void, TaskFull> =>
  externalWorkItems.length < externalWorkItemLimit
    ? Effect.void
    : new TaskFull({ taskId: id, field: "externalWorkItems", limit: externalWorkItemLimit })

/** Notes on a task that a tracker made an item for it. */
export const linkItem = (
  id: string,
  backlink: Backlink,
  write: Write
): Effect.Effect<TaskRow, WriteRefused | TaskFull, Sql> =>
  Effect.gen(function* () {
    const before = yield* findForWrite(id, write)
    yield* requireRoom(before.task)
    const task = { ...before.task, externalWorkItems: [...before.task.externalWorkItems, backlink] }
    yield* refuseTakenIdentities(before, task, write.operation)
    return yield* commit(
      before,
      { task },
      write,
      (changed) => new TaskUpdated({ ...changed, fields: ["externalWorkItems"] })
    )
  })
