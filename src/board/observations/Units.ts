import type { TaskRemoval } from "../tasks/TaskRemoval.ts"
import * as ObservationRepo from "./ObservationRepo.ts"

/** What was observed about a task goes with it. */
export const taskRemoval: TaskRemoval = { forget: ObservationRepo.removeAllOf }
