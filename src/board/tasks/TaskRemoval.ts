import { Context, type Effect } from "effect"
import type { Sql } from "../../storage/Sql.ts"

/**
 * What goes with a task that is deleted for good. The tasks room asks; the rooms that keep things about tasks answer,
 * in the unit of the deletion, so that a later task with the same id inherits nothing.
 */
export class TaskRemoval extends Context.Tag("muster/TaskRemoval")<
  TaskRemoval,
  { readonly forget: (taskId: string) => Effect.Effect<void, never, Sql> }
>() {}
