import type { TaskRemoval } from "../tasks/TaskRemoval.ts"
import * as CheckpointRepo from "./CheckpointRepo.ts"

/** The checkpoint of a task, for somebody who looks at it: this does not count as a resume. */
export const checkpointOf = CheckpointRepo.find

/** The checkpoint of a task goes with it. */
export const taskRemoval: TaskRemoval = { forget: CheckpointRepo.removeOf }
