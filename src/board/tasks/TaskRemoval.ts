import { Context, type Effect } from "effect"
import type { Sql } from "../../storage/Sql.ts"
import type { TaskStateConflict } from "./Errors.ts"
import type { StoredTask } from "./Task.ts"

/**
 * What goes with a task that is deleted for good. The tasks room asks; the rooms that keep things about tasks answer,
 * in the unit of the deletion, so that a later task with the same id inherits nothing.
 */
export class TaskRemoval extends Context.Tag("muster/TaskRemoval")<
  TaskRemoval,
  {
    /** Fails while something of the task must be ended first: its worktree, which may hold work. */
    readonly admit: (task: StoredTask, operation: string) => Effect.Effect<void, TaskStateConflict, Sql>
    readonly forget: (taskId: string) => Effect.Effect<void, never, Sql>
  }
>() {}
