import { Effect } from "effect"
import { TaskStateConflict } from "../../board/tasks/Errors.ts"
import type { TaskRemoval } from "../../board/tasks/TaskRemoval.ts"
import type { Sql } from "../../storage/Sql.ts"
import * as AttemptRepo from "./AttemptRepo.ts"

/*
 * What the other rooms of runs use of attempts inside their own units of work.
 */

export {
  activeOf,
  bind,
  type Documents,
  documentsOf,
  end as endAttempt,
  find as findAttempt,
  insert as insertAttempt,
  type KnownLaunch,
  keepLaunch,
  latestOf,
  launchBy,
  newestOf,
  requestOf,
  resultFor,
  running,
  runningOf,
  starting,
  toQueued,
  toStarting
} from "./AttemptRepo.ts"
export { mismatch, requireAttempt, requireRunning, requireUnaltered } from "./Bindings.ts"
export { renewCapacity, renewCapacityOf } from "./RenewCapacity.ts"

/** Whether an attempt waits or runs: one that is over asks for nothing and hears of nothing. */
export const isAlive = (id: string): Effect.Effect<boolean, never, Sql> =>
  Effect.map(AttemptRepo.find(id), (found) => found !== undefined && found.state !== "ended")

/** Moves when an attempt that waited may begin. */
export const beginning = "attempts-beginning"

/** A task is not deleted under an agent that works on it; what its attempts were goes with it. */
export const taskRemoval: TaskRemoval = {
  admit: ({ id, status }, operation) =>
    Effect.flatMap(AttemptRepo.activeOf(id), (active) => {
      if (active === undefined) return Effect.void
      const reason = `Attempt ${active.id} is active: POST /agents/${id}/stop ends it`
      return new TaskStateConflict({ taskId: id, operation, status, reason })
    }),
  forget: AttemptRepo.forget
}
