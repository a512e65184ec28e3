import { Effect } from "effect"
import type { ActorContext } from "../../kernel/Actor.ts"
import { unconditional } from "../../kernel/Revision.ts"
import type { Sql } from "../../storage/Sql.ts"
import type { TaskFull, TaskNotFound } from "./Errors.ts"
import { TaskUpdated } from "./Events.ts"
import { commit, requireTask } from "./TaskChange.ts"

/**
 * Writes where the worktree of a task lies, or that it has none; for the room of the worktrees, in its own units. An
 * archived task takes it too: putting a card away does not take its worktree away.
 */
export const setWorktreePath = (
  taskId: string,
  path: string | undefined,
  by: ActorContext
): Effect.Effect<void, TaskNotFound | TaskFull, Sql> =>
  Effect.gen(function* () {
    const before = yield* requireTask(taskId)
    if (before.task.git?.worktreePath === path) return
    const { git = {}, ...rest } = before.task
    const { worktreePath: _, ...kept } = git
    const after = path === undefined ? kept : { ...kept, worktreePath: path }
    const task = Object.keys(after).length === 0 ? rest : { ...rest, git: after }
    const write = { operation: "worktree", by, precondition: unconditional }
    yield* commit(before, { task }, write, (changed) => new TaskUpdated({ ...changed, fields: ["git"] }))
  })
