import { Context, type Effect } from "effect"
import type { Sql } from "../../storage/Sql.ts"
import type { TaskStateConflict } from "./Errors.ts"
import type { StoredTask } from "./Task.ts"

/** What a room does when a task is deleted for good, in the unit of the deletion. */
export interface TaskRemoval {
  /** Fails while something of the task must be ended first: its worktree, which may hold work. */
  readonly admit?: (task: StoredTask, operation: string) => Effect.Effect<void, TaskStateConflict, Sql>
  /** Takes away what is kept about the task, so that a later one with the same id inherits nothing. */
  readonly forget: (taskId: string) => Effect.Effect<void, never, Sql>
}

/** What goes with a task that is deleted for good: the tasks room asks, all rooms that keep things about tasks answer. */
export class TaskRemovals extends Context.Tag("muster/TaskRemovals")<
  TaskRemovals,
  ReadonlyArray<TaskRemoval>
>() {}
