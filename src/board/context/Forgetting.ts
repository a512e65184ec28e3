import { Effect, Layer } from "effect"
import * as TraceRepo from "../../insight/traces/TraceRepo.ts"
import * as CeremonyRepo from "../ceremonies/CeremonyRepo.ts"
import * as ChatRepo from "../chat/ChatRepo.ts"
import * as CheckpointRepo from "../checkpoints/CheckpointRepo.ts"
import * as ObservationRepo from "../observations/ObservationRepo.ts"
import { TaskRemoval } from "../tasks/TaskRemoval.ts"

/** A task that is deleted takes its observations, its checkpoint, its ceremonies and its traces with it; what was said about it stays. */
export const Forgetting = Layer.succeed(TaskRemoval, {
  forget: (taskId) =>
    Effect.all(
      [
        ObservationRepo.removeAllOf(taskId),
        CheckpointRepo.removeOf(taskId),
        CeremonyRepo.removeAllOf(taskId),
        TraceRepo.removeAllOf(taskId),
        ChatRepo.forgetTask(taskId)
      ],
      { discard: true }
    )
})
