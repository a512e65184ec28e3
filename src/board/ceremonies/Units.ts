import type { TaskRemoval } from "../tasks/TaskRemoval.ts"
import * as CeremonyRepo from "./CeremonyRepo.ts"

/** The ceremonies of a task go with it. */
export const taskRemoval: TaskRemoval = { forget: CeremonyRepo.removeAllOf }
