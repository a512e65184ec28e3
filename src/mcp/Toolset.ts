import type { Tool } from "./Tool.ts"
import { search } from "./tools/Search.ts"
import { squadChat } from "./tools/Squad.ts"
import { addComment, claimTask, createTask, moveTask, updateTask } from "./tools/TaskChanges.ts"
import { addObservation, checkpoint, dependency, trackTime } from "./tools/TaskNotes.ts"
import { getTask, listTasks, nextTask, taskContext } from "./tools/TaskQueries.ts"

/**
 * The tools of the board, in the order in which a model meets them (spec decisions, Q72). At most fifteen: a model
 * reads all of them with every request.
 */
export const tools: ReadonlyArray<Tool> = [
  nextTask,
  claimTask,
  taskContext,
  listTasks,
  getTask,
  createTask,
  updateTask,
  moveTask,
  addComment,
  trackTime,
  addObservation,
  checkpoint,
  dependency,
  squadChat,
  search
]
