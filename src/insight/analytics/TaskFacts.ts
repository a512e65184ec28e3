import { Context, type Effect } from "effect"
import type { OutboxEvent } from "../../storage/events/Outbox.ts"
import type { Sql } from "../../storage/Sql.ts"

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

/** A fact, and when it came to be, in milliseconds since the epoch. */
export interface DatedFact {
  readonly fact: TaskFact
  readonly at: number
}

/** What is known of tasks. Analytics asks, and the board answers. */
export interface TaskFactsService {
  /** What an event says of a task; undefined when it says nothing of any. */
  readonly of: (event: OutboxEvent) => TaskFact | undefined
  /** What a task itself remembers up to a time, where events are no longer kept; nothing when it is gone. */
  readonly remembered: (taskId: string, until: number) => Effect.Effect<ReadonlyArray<DatedFact>, never, Sql>
}

export class TaskFacts extends Context.Tag("muster/TaskFacts")<TaskFacts, TaskFactsService>() {}
