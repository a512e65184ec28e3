import { Effect, Either } from "effect"
import type {
  CeremonyRequired,
  ClosingCommentRequired,
  ReviewGateFailed,
  TaskFull
} from "../../board/tasks/Errors.ts"
import type { StatusRulesService } from "../../board/tasks/StatusRules.ts"
import type { TaskStatus } from "../../board/tasks/Task.ts"
import { changeStatus, findTask } from "../../board/tasks/Units.ts"
import type { Sql } from "../../storage/Sql.ts"
import type { Attempt } from "../attempts/Attempt.ts"
import type { CompletionResult } from "../documents/CompletionResult.ts"
import type { CompletionStatus } from "../documents/Policies.ts"
import { closeAttempt, type End } from "./CloseAttempt.ts"
import { commitCopy, findCopy, shownAttempt, type TaskCopy } from "./TaskCopy.ts"

/** A gate that kept a task from the status that its attempt earned. The result stands all the same. */
export interface RefusedGate {
  readonly code: string
  readonly details: object
}

type GateRefusal = ReviewGateFailed | ClosingCommentRequired | CeremonyRequired

/** How an attempt ended, and what became of its task. */
export interface Ended {
  readonly result: CompletionResult
  readonly taskStatus: TaskStatus | null
  readonly gate?: RefusedGate
}

/** The status that a task takes when an attempt ends so; without one it stays in progress, for a recovery. */
const earned: Readonly<Partial<Record<CompletionStatus, TaskStatus>>> = {
  success: "done",
  blocked: "blocked"
}

/**
 * The end of an attempt as one unit (spec 3-runs, States and transitions): what `closeAttempt` does, the copy on its
 * task, and the status of the task or the gate that refused it. A gate never costs the result. Where the task has no
 * room for its copy, the unit is taken back as a whole, to be written again with `onTask` false.
 */
export const endAttempt = (
  rules: StatusRulesService,
  attempt: Attempt,
  result: CompletionResult,
  {
    onTask,
    ...end
  }: End & {
    /** False leaves the task as it is, when it has no room for its copy. */
    readonly onTask: boolean
  }
): Effect.Effect<Ended, TaskFull, Sql> =>
  Effect.gen(function* () {
    yield* closeAttempt(attempt, result, end)
    const copy = onTask ? yield* findCopy(attempt, result, end.by) : undefined
    if (copy === undefined) {
      const found = yield* findTask(attempt.taskId)
      return { result, taskStatus: found?.task.status ?? null }
    }
    return { result, ...(yield* showOnTask(rules, attempt, result, copy)) }
  })

const showOnTask = (
  rules: StatusRulesService,
  attempt: Attempt,
  result: CompletionResult,
  copy: TaskCopy
): Effect.Effect<Omit<Ended, "result">, TaskFull, Sql> =>
  Effect.gen(function* () {
    const { before, task, write } = copy
    const status = attempt.source === "workflow" ? undefined : earned[result.status]
    // A task that somebody finished or gave up meanwhile is not brought back by an attempt that ends later.
    if (status === undefined || before.task.status !== "in-progress") {
      yield* commitCopy(copy)
      return { taskStatus: before.task.status }
    }
    const changed = yield* Effect.either(changeStatus(rules, before, task, { status }, write, shownAttempt))
    if (Either.isRight(changed)) return { taskStatus: status }
    const refused = changed.left
    // What is no gate has written half of a change already: the unit is taken back as a whole.
    if (refused._tag === "TaskFull") return yield* refused
    if (refused._tag === "AutoTelemetryFailed" || refused._tag === "AutoTimeTrackingFailed")
      return yield* Effect.die(refused)
    yield* commitCopy(copy)
    return { taskStatus: before.task.status, gate: gateOf(refused) }
  })

/** A refusal of a gate, as the answer to a completion tells it: its code and its details on the wire. */
const gateOf = (refused: GateRefusal): RefusedGate => {
  switch (refused._tag) {
    case "ReviewGateFailed": {
      const { currentScores, requiredScores } = refused
      return { code: "REVIEW_GATE_FAILED", details: { currentScores, requiredScores } }
    }
    case "ClosingCommentRequired": {
      const { commentCount, longestComment, requiredLength } = refused
      return { code: "CLOSING_COMMENT_REQUIRED", details: { commentCount, longestComment, requiredLength } }
    }
    case "CeremonyRequired": {
      const { ceremonyId, ceremonyType, gate, mode, reasons, taskId } = refused
      return {
        code: "CEREMONY_REQUIRED",
        details: { gate, mode, ceremonyId, ceremonyType, taskId, reasons }
      }
    }
  }
}
