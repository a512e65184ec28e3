import type { TaskRemoval } from "../tasks/TaskRemoval.ts"
import * as ChatRepo from "./ChatRepo.ts"

/** What was said in a chat about a task stays, about nothing in particular. */
export const taskRemoval: TaskRemoval = { forget: ChatRepo.forgetTask }
