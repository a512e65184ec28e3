import type { TaskRemoval } from "../tasks/TaskRemoval.ts"
import * as ObservationRepo from "./ObservationRepo.ts"

/** The newest observations about a task, so many at the most. */
export const newestObservationsOf = ObservationRepo.newestOf

/** What was observed about a task goes with it. */
export const taskRemoval: TaskRemoval = { forget: ObservationRepo.removeAllOf }
