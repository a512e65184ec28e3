import { Effect, Layer } from "effect"
import * as TraceRepo from "../../insight/traces/TraceRepo.ts"
import * as CreationRepo from "../../integrations/trackers/CreationRepo.ts"
import * as CeremonyRepo from "../ceremonies/CeremonyRepo.ts"
import * as ChatRepo from "../chat/ChatRepo.ts"
import * as CheckpointRepo from "../checkpoints/CheckpointRepo.ts"
import * as CommentAuthorRepo from "../comments/CommentAuthorRepo.ts"
import * as ObservationRepo from "../observations/ObservationRepo.ts"
import { TaskStateConflict } from "../tasks/Errors.ts"
import { TaskRemoval } from "../tasks/TaskRemoval.ts"
import * as WorktreeRepo from "../worktrees/WorktreeRepo.ts"

/**
 * A task that is deleted takes its observations, its checkpoint, its ceremonies, its traces and what is known of its
 * items at trackers with it; what was said about it stays. Its worktree is not taken along: it may hold work, so it must
 * be removed first. What is left of former ones is kept for its time, for nobody.
 */
export const Forgetting = Layer.succeed(TaskRemoval, {
  admit: ({ id, status }, operation) =>
    Effect.flatMap(WorktreeRepo.liveOf(id), (live) => {
      const reason = `It has a worktree: DELETE /tasks/${id}/worktree removes it`
      return live === undefined
        ? Effect.void
        : new TaskStateConflict({ taskId: id, operation, status, reason })
    }),
  forget: (taskId) =>
    Effect.all(
      [
        ObservationRepo.removeAllOf(taskId),
        CheckpointRepo.removeOf(taskId),
        CeremonyRepo.removeAllOf(taskId),
        CommentAuthorRepo.removeOf(taskId),
        TraceRepo.removeAllOf(taskId),
        ChatRepo.forgetTask(taskId),
        CreationRepo.removeAllOf(taskId),
        WorktreeRepo.orphan(taskId)
      ],
      { discard: true }
    )
})
