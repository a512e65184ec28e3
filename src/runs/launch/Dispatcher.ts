import { Effect } from "effect"
import type { StatusRefused, TaskFull } from "../../board/tasks/Errors.ts"
import type { StatusRulesService } from "../../board/tasks/StatusRules.ts"
import { findTask, type WriteRefused } from "../../board/tasks/Units.ts"
import { heldBy } from "../../governance/admission/Units.ts"
import type { Dispatcher } from "../../governance/queue/Dispatch.ts"
import type { AdmissionOverload, AdmissionPolicyDenied } from "../../governance/queue/Errors.ts"
import type { ActorContext } from "../../kernel/Actor.ts"
import { now } from "../../kernel/Time.ts"
import { moves, type Sql } from "../../storage/Sql.ts"
import type { Attempt, RunningAttempt } from "../attempts/Attempt.ts"
import { beginning, findAttempt, toQueued, toStarting } from "../attempts/Units.ts"
import { withdrawAttempt } from "../completion/WithdrawAttempt.ts"
import { admitLaunch } from "./AdmitLaunch.ts"
import type { Wish } from "./LaunchRequest.ts"
import { applicantOf, type Prepared, startingOf } from "./PreparedLaunch.ts"
import { startAttempt } from "./StartAttempt.ts"

/** Whether somebody still works on a task: nothing that the service does by itself takes up finished work again. */
const isOpen = (taskId: string): Effect.Effect<boolean, never, Sql> =>
  Effect.map(findTask(taskId), (found) => found?.task.status === "in-progress" && !found.task.archived)

/** Why an attempt that has waited is not to begin; undefined when it is. */
const needlessness = (
  { source, taskId }: Pick<Attempt, "source" | "taskId">,
  by: ActorContext
): Effect.Effect<string | undefined, never, Sql> =>
  Effect.gen(function* () {
    if (!by.permissions.has("task:write")) return "Whoever asked for it is no longer allowed to"
    return source === "recovery" && !(yield* isOpen(taskId)) ? "Its task is no longer in progress" : undefined
  })

const withdraw = (attempt: Attempt, reason: string, by: ActorContext): Effect.Effect<void, never, Sql> =>
  Effect.flatMap(now, (at) => withdrawAttempt(attempt, reason, { at, by }))

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
      const reason = yield* needlessness(attempt, by)
      if (reason !== undefined) {
        yield* withdraw(attempt, reason, by)
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

/**
 * Lets an attempt run that has waited and got room, in one unit; undefined when it does not. Time may have passed since
 * it got it, and a server may have died: one that nobody wants any more ends, and one whose room was taken back meanwhile
 * asks for it again, and may have to wait once more.
 */
export const beginWaiting = (
  rules: StatusRulesService,
  prepared: Prepared,
  wish: Wish,
  by: ActorContext
): Effect.Effect<
  RunningAttempt | undefined,
  AdmissionOverload | AdmissionPolicyDenied | WriteRefused | StatusRefused | TaskFull,
  Sql
> =>
  Effect.gen(function* () {
    const { id } = prepared
    const attempt = yield* findAttempt(id)
    if (attempt?.state !== "starting") return undefined
    const { source } = attempt
    const reason = yield* needlessness(attempt, by)
    if (reason !== undefined) {
      yield* withdraw(attempt, reason, by)
      return undefined
    }
    if ((yield* heldBy(id)) === undefined) {
      const room = yield* admitLaunch(applicantOf(prepared, wish, source), by)
      if (room._tag === "Queued") {
        yield* toQueued(id, room.queueId)
        return undefined
      }
    }
    return yield* startAttempt(rules, startingOf(prepared, wish, source), {
      at: yield* now,
      by,
      queued: attempt
    })
  })
