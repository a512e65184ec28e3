import { Context, type Effect } from "effect"
import type { ActorContext } from "../../kernel/Actor.ts"
import type { Sql } from "../../storage/Sql.ts"
import type { StatusRefused } from "./Errors.ts"
import type { StoredTask, TaskStatus } from "./Task.ts"

/** A change of a task's status that is about to happen: the task as it would be, and where it comes from. */
export interface StatusChange {
  readonly task: StoredTask
  readonly from: TaskStatus
  readonly to: TaskStatus
  readonly by: ActorContext
  /** In whose name it is announced: the agent that works on the task, also when somebody else reports it. */
  readonly agent: string
  /** When it happens, in milliseconds since the epoch. */
  readonly at: number
}

/**
 * What must hold, and what happens, when a task changes its status. The tasks room asks; the rooms above it answer
 * (gates, timers, telemetry, squad chat). Both sides run in the unit of the change.
 */
export interface StatusRulesService {
  /** Fails when a gate forbids the change. Nothing is written before every gate has agreed. */
  readonly admit: (change: StatusChange) => Effect.Effect<void, StatusRefused, Sql>
  /** Does what the change sets off, and gives the resulting task. */
  readonly automate: (change: StatusChange) => Effect.Effect<StoredTask, StatusRefused, Sql>
}

export class StatusRules extends Context.Tag("muster/StatusRules")<StatusRules, StatusRulesService>() {}
