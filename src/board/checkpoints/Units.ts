import type { TaskRemoval } from "../tasks/TaskRemoval.ts"
import * as CheckpointRepo from "./CheckpointRepo.ts"

/** The checkpoint of a task goes with it. */
export const taskRemoval: TaskRemoval = { forget: CheckpointRepo.removeOf }
