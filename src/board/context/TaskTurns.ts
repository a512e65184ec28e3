import { TaskImported, TaskRenamed } from "../imports/Events.ts"
import { TaskClaimed } from "../next/Events.ts"
import {
  TaskArchived,
  TaskCreated,
  TaskDeleted,
  TaskDemoted,
  TaskMoved,
  TaskPromoted,
  TaskRestored,
  TaskUpdated
} from "../tasks/Events.ts"

/** The events by which a task comes, goes, and may change its column, for those who read them by their kind. */
export const taskTurns = [
  TaskCreated,
  TaskImported,
  TaskUpdated,
  TaskMoved,
  TaskPromoted,
  TaskDemoted,
  TaskClaimed,
  TaskArchived,
  TaskRestored,
  TaskRenamed,
  TaskDeleted
] as const
