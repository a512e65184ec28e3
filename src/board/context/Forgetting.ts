import { Effect, Layer } from "effect"
import * as CheckpointRepo from "../checkpoints/CheckpointRepo.ts"
import * as ObservationRepo from "../observations/ObservationRepo.ts"
import { TaskRemoval } from "../tasks/TaskRemoval.ts"

/** A task that is deleted takes its observations and its checkpoint with it. */
export const Forgetting = Layer.succeed(TaskRemoval, {
  forget: (taskId) => Effect.zipRight(ObservationRepo.removeAllOf(taskId), CheckpointRepo.removeOf(taskId))
})
