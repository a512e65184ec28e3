import { Context, type Effect } from "effect"
import type { Sql } from "../../storage/Sql.ts"
import type { SearchDocument } from "./SearchDocument.ts"

/**
 * What can be found of tasks. Search asks, and the board answers, in the unit that takes it into the index; undefined when
 * there is no such task.
 */
export interface FindableTasksService {
  readonly find: (taskId: string) => Effect.Effect<SearchDocument | undefined, never, Sql>
}

export class FindableTasks extends Context.Tag("muster/FindableTasks")<
  FindableTasks,
  FindableTasksService
>() {}
