import { Effect } from "effect"
import { TaskStateConflict } from "../tasks/Errors.ts"
import type { TaskRemoval } from "../tasks/TaskRemoval.ts"
import * as WorktreeRepo from "./WorktreeRepo.ts"

/** The worktree of a task that holds its task and its path. */
export const liveWorktreeOf = WorktreeRepo.liveOf

/**
 * A worktree may hold work, so it must be removed before its task. What is left of former ones is kept for its time and
 * belongs to no task.
 */
export const taskRemoval: TaskRemoval = {
  admit: ({ id, status }, operation) =>
    Effect.flatMap(WorktreeRepo.liveOf(id), (live) => {
      const reason = `It has a worktree: DELETE /tasks/${id}/worktree removes it`
      return live === undefined
        ? Effect.void
        : new TaskStateConflict({ taskId: id, operation, status, reason })
    }),
  forget: WorktreeRepo.orphan
}
