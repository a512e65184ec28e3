import { Effect } from "effect"
import type { ActorContext } from "../../kernel/Actor.ts"
import { newId } from "../../kernel/Ids.ts"
import { unconditional } from "../../kernel/Revision.ts"
import type { Sql } from "../../storage/Sql.ts"
import { commit, findTasks, renameTask, sharedIds, type TaskRow } from "../tasks/Units.ts"
import { TaskRenamed } from "./Events.ts"
import type { RepairResult } from "./ImportResult.ts"

/** How many shared ids one request repairs at the most. */
const repairLimit = 100

/**
 * Gives every task but one of those that share an id a new one. The first on the board keeps the id, and with it what
 * other tasks and rooms know under it.
 */
export const repairIds = (by: ActorContext): Effect.Effect<RepairResult, never, Sql> =>
  Effect.gen(function* () {
    const repaired: Array<RepairResult["repaired"][number]> = []
    for (const id of yield* sharedIds(repairLimit)) {
      const [, ...others] = yield* findTasks(id)
      for (const other of others) {
        const renamed = yield* rename(other, by)
        if (renamed !== undefined) repaired.push({ id, newId: renamed, title: other.task.title })
      }
    }
    const left = yield* sharedIds(repairLimit)
    return { repaired, remaining: left.length }
  })

/** The new id; undefined for a task that is so full that not even its id can grow. */
const rename = (before: TaskRow, by: ActorContext): Effect.Effect<string | undefined, never, Sql> =>
  Effect.gen(function* () {
    const from = before.task.id
    const id = yield* newId("task")
    const write = { operation: "rename", by, precondition: unconditional }
    yield* commit(
      before,
      { task: { ...before.task, id } },
      write,
      (changed) => new TaskRenamed({ ...changed, from })
    )
    yield* renameTask(before.row, from, id)
    return id
  }).pipe(Effect.catchTag("TaskFull", () => Effect.succeed(undefined)))
