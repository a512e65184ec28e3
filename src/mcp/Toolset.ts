import { Schema } from "effect"
import type { Tool } from "./Tool.ts"
import { completeRun, runApprovals, runEvents, runStatus, startRun } from "./tools/Runs.ts"
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

/** Tools that are served beside those of the board when somebody asks for them. */
export const ToolGroup = Schema.Literal("runs")
export type ToolGroup = typeof ToolGroup.Type

const groups: Readonly<Record<ToolGroup, ReadonlyArray<Tool>>> = {
  runs: [startRun, runStatus, runEvents, completeRun, runApprovals]
}

/** The tools of a server: those of the board, and of the groups that were asked for. */
export const toolsWith = (wanted: ReadonlyArray<ToolGroup>): ReadonlyArray<Tool> => [
  ...tools,
  ...new Set(wanted.flatMap((group) => groups[group]))
]
