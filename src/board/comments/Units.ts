import type { TaskRemoval } from "../tasks/TaskRemoval.ts"
import * as CommentAuthorRepo from "./CommentAuthorRepo.ts"

/** Comments are part of their task; who wrote them goes with it. */
export const taskRemoval: TaskRemoval = { forget: CommentAuthorRepo.removeOf }
