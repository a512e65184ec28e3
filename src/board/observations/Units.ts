import type { TaskRemoval } from "../tasks/TaskRemoval.ts"
import * as ObservationRepo from "./ObservationRepo.ts"

/** The newest observations about a task, up to a limit. */
export const newestObservationsOf = ObservationRepo.newestOf

/** What was observed about a task goes with it. */
export const taskRemoval: TaskRemoval = { forget: ObservationRepo.removeAllOf }
