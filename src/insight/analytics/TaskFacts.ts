import { Context } from "effect"
import type { OutboxEvent } from "../../storage/Outbox.ts"

/** What an event of the outbox means for analytics. */
export type TaskFact =
  | {
      readonly _tag: "Arrived"
      readonly taskId: string
      readonly status: string
      readonly imported: boolean
    }
  | { readonly _tag: "Changed"; readonly taskId: string; readonly status: string }
  | { readonly _tag: "Archived"; readonly taskId: string; readonly archived: boolean }
  | { readonly _tag: "Renamed"; readonly taskId: string; readonly from: string }
  | { readonly _tag: "Deleted"; readonly taskId: string }
  | { readonly _tag: "Touched"; readonly taskId: string }

/** What an event says of a task. Analytics asks, and the board answers; undefined when it says nothing of any. */
export interface TaskFactsService {
  readonly of: (event: OutboxEvent) => TaskFact | undefined
}

export class TaskFacts extends Context.Tag("muster/TaskFacts")<TaskFacts, TaskFactsService>() {}
