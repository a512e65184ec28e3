import type { TaskRemoval } from "../../board/tasks/TaskRemoval.ts"
import * as CreationRepo from "./CreationRepo.ts"

/** What is known of a task's items at trackers goes with it. */
export const taskRemoval: TaskRemoval = { forget: CreationRepo.removeAllOf }
