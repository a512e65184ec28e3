import { Effect } from "effect"
import { findTask } from "../../board/tasks/Units.ts"
import type { Dispatcher } from "../../governance/queue/Dispatch.ts"
import type { ActorContext } from "../../kernel/Actor.ts"
import { iso, now } from "../../kernel/Time.ts"
import { moves, type Sql } from "../../storage/Sql.ts"
import type { Attempt } from "../attempts/Attempt.ts"
import { beginning, findAttempt, toStarting } from "../attempts/Units.ts"
import { conclude } from "../completion/Conclude.ts"
import { endAttempt } from "../completion/EndAttempt.ts"

/** Ends an attempt that never ran, in the unit of whoever decides it. Its task keeps its status. */
const endWaiting = (attempt: Attempt, reason: string, by: ActorContext): Effect.Effect<void, never, Sql> =>
  Effect.gen(function* () {
    const at = yield* now
    const result = conclude({
      attempt,
      claims: null,
      terminalSource: "cancel",
      observed: { harness: { observedAt: iso(at), expectedOutputs: [] }, sideEffects: [] },
      commitPolicy: "allowed",
      phaseEvidence: null,
      reason,
      at
    })
    yield* endAttempt(undefined, attempt, result, { at, by, onTask: true }).pipe(
      Effect.catchTag("TaskFull", () => endAttempt(undefined, attempt, result, { at, by, onTask: false })),
      Effect.orDie
    )
  })

/** Whether somebody still works on a task: nothing that the service does by itself takes up finished work again. */
const isOpen = (taskId: string): Effect.Effect<boolean, never, Sql> =>
  Effect.map(findTask(taskId), (found) => found?.task.status === "in-progress" && !found.task.archived)

/**
 * How launches begin that had to wait: the attempt is marked, and `BeginAttempts` does what takes time. Whoever asked for
 * it must still be allowed to.
 */
export const dispatcher: Dispatcher = {
  sources: ["manual", "recovery"],
  dispatch: ({ by, request: { attemptId } }) =>
    Effect.gen(function* () {
      const attempt = yield* findAttempt(attemptId)
      if (attempt?.state !== "queued") return { _tag: "Cannot" }
      if (!by.permissions.has("task:write")) {
        yield* endWaiting(attempt, "Whoever asked for it is no longer allowed to", by)
        return { _tag: "Cannot" }
      }
      if (attempt.source === "recovery" && !(yield* isOpen(attempt.taskId))) {
        yield* endWaiting(attempt, "Its task is no longer in progress", by)
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
        : endWaiting(attempt, `It left the queue: ${outcome}`, by)
    )
}
