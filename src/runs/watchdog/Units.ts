import type { TaskRemoval } from "../../board/tasks/TaskRemoval.ts"
import * as FindingRepo from "./FindingRepo.ts"

/** What was found about the attempts at a task goes with it. */
export const taskRemoval: TaskRemoval = { forget: FindingRepo.forget }
