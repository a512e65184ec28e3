import type { TaskRemoval } from "../../board/tasks/TaskRemoval.ts"
import * as CreationRepo from "./CreationRepo.ts"

/** Forgets the creates of a task when it is deleted. */
export const taskRemoval: TaskRemoval = { forget: CreationRepo.removeAllOf }
