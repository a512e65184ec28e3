import type { TaskRemoval } from "../../board/tasks/TaskRemoval.ts"
import * as RecoveryRepo from "./RecoveryRepo.ts"

/** The recoveries of a task go with it. */
export const taskRemoval: TaskRemoval = { forget: RecoveryRepo.forget }
