import { Schema } from "effect"
import { optional } from "../../kernel/Optional.ts"
import { Event } from "../../storage/events/Event.ts"
import { TaskStatus } from "./Task.ts"

/** What every change of a task says: the revision that it left. */
export const taskChange = { revision: Schema.Int }

/** What a change says that may have changed the status too: both statuses when it did. */
export const statusChange = { ...taskChange, from: optional(TaskStatus), to: optional(TaskStatus) }

/** Whom an event of a task is about, for those who make one. */
export interface Changed {
  readonly resourceId: string
  readonly revision: number
}

/** The same, of a change that may have changed the status. */
export interface StatusChanged extends Changed {
  readonly from?: TaskStatus
  readonly to?: TaskStatus
}

export class TaskCreated extends Event("task.created", "task", {
  ...taskChange,
  to: TaskStatus
}) {}

/** The fields that were named; none when a template filled what was empty. */
export class TaskUpdated extends Event("task.updated", "task", {
  ...statusChange,
  fields: optional(Schema.Array(Schema.String))
}) {}

export class TaskMoved extends Event("task.moved", "task", statusChange) {}

export class TaskPromoted extends Event("task.promoted", "task", statusChange) {}

export class TaskDemoted extends Event("task.demoted", "task", statusChange) {}

export class TaskArchived extends Event("task.archived", "task", taskChange) {}

export class TaskRestored extends Event("task.restored", "task", taskChange) {}

/** Gone for good, from the column that it stood in. */
export class TaskDeleted extends Event("task.deleted", "task", {
  ...taskChange,
  from: TaskStatus
}) {}

/** A claim lapsed: nobody was heard of who held the task. The revision is the one that the task has. */
export class TaskClaimLapsed extends Event("task.claim-lapsed", "task", taskChange) {}

/** Whoever held a claim that had lapsed was heard of again, before somebody took the task over. */
export class TaskClaimRenewed extends Event("task.claim-renewed", "task", taskChange) {}

/** The order of a column changed, none of its cards did. The stream is the column's. */
export class BoardReordered extends Event("board.reordered", "board", {}) {}
