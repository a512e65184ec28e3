import { Effect } from "effect"
import { findTask } from "../../board/tasks/Units.ts"
import type { Dispatcher } from "../../governance/queue/Dispatch.ts"
import type { ActorContext } from "../../kernel/Actor.ts"
import { now } from "../../kernel/Time.ts"
import { moves, type Sql } from "../../storage/Sql.ts"
import type { Attempt } from "../attempts/Attempt.ts"
import { beginning, findAttempt, toStarting } from "../attempts/Units.ts"
import { withdrawAttempt } from "../completion/WithdrawAttempt.ts"

const withdraw = (attempt: Attempt, reason: string, by: ActorContext): Effect.Effect<void, never, Sql> =>
  Effect.flatMap(now, (at) => withdrawAttempt(attempt, reason, { at, by }))

/** Whether somebody still works on a task: nothing that the service does by itself takes up finished work again. */
const isOpen = (taskId: string): Effect.Effect<boolean, never, Sql> =>
  Effect.map(findTask(taskId), (found) => found?.task.status === "in-progress" && !found.task.archived)

/**
 * How launches begin that had to wait: the attempt is marked, and the worker in `Launches` does what takes time. Whoever
 * asked for it must still be allowed to.
 */
export const dispatcher: Dispatcher = {
  sources: ["manual", "recovery"],
  dispatch: ({ by, request: { attemptId } }) =>
    Effect.gen(function* () {
      const attempt = yield* findAttempt(attemptId)
      if (attempt?.state !== "queued") return { _tag: "Cannot" }
      if (!by.permissions.has("task:write")) {
        yield* withdraw(attempt, "Whoever asked for it is no longer allowed to", by)
        return { _tag: "Cannot" }
      }
      if (attempt.source === "recovery" && !(yield* isOpen(attempt.taskId))) {
        yield* withdraw(attempt, "Its task is no longer in progress", by)
        return { _tag: "Cannot" }
      }
      yield* toStarting(attemptId)
      yield* moves(beginning)
      return { _tag: "Begun" }
    }),
  withdraw: ({ by, outcome, request: { attemptId } }) =>
    Effect.flatMap(findAttempt(attemptId), (attempt) =>
      attempt === undefined || attempt.state === "ended"
        ? Effect.void
        : withdraw(attempt, `It left the queue: ${outcome}`, by)
    )
}
