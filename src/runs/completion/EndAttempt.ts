import { Effect, Either } from "effect"
import type {
  CeremonyRequired,
  ClosingCommentRequired,
  ReviewGateFailed,
  TaskFull
} from "../../board/tasks/Errors.ts"
import { TaskUpdated } from "../../board/tasks/Events.ts"
import type { StatusRulesService } from "../../board/tasks/StatusRules.ts"
import type { TaskStatus } from "../../board/tasks/Task.ts"
import { changeStatus, commit, findForWrite, findTask, type Write } from "../../board/tasks/Units.ts"
import * as Admission from "../../governance/admission/Units.ts"
import { cancelApprovalsOf } from "../../governance/approvals/Units.ts"
import * as Telemetry from "../../insight/telemetry/Units.ts"
import type { ActorContext } from "../../kernel/Actor.ts"
import { unconditional } from "../../kernel/Revision.ts"
import * as Journal from "../../storage/events/Journal.ts"
import type { Sql } from "../../storage/Sql.ts"
import { type Attempt, decide } from "../attempts/Attempt.ts"
import { AttemptEnded } from "../attempts/Events.ts"
import { documentsOf, endAttempt as endRow } from "../attempts/Units.ts"
import type { CompletionResult } from "../documents/CompletionResult.ts"
import type { CompletionStatus } from "../documents/Policies.ts"
import * as Processes from "../processes/Units.ts"
import { copyOf, withAttempt } from "./TaskCopy.ts"

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
 * The end of an attempt as one unit (spec 3-runs, States and transitions): its result, its telemetry, the copy on its
 * task, and the status of the task or the gate that refused it. A gate never costs the result, nor does a task that
 * cannot take its copy: then the task stays as it is. What it held is free again, and what it asked for is cancelled.
 * Without rules the task keeps its status.
 */
export const endAttempt = (
  rules: StatusRulesService | undefined,
  attempt: Attempt,
  result: CompletionResult,
  {
    at,
    by,
    onTask
  }: {
    readonly by: ActorContext
    readonly at: number
    /** False leaves the task as it is, when it has no room for its copy. */
    readonly onTask: boolean
  }
): Effect.Effect<Ended, TaskFull, Sql> =>
  Effect.gen(function* () {
    if (decide(attempt, { _tag: "End", status: result.status })._tag === "Unfit") {
      return yield* Effect.dieMessage(`Attempt ${attempt.id} ended twice`)
    }
    const { agent, id, provider, source, startedAt, taskId } = attempt
    yield* endRow(id, result, at)
    yield* Journal.record(
      new AttemptEnded({
        resourceId: id,
        taskId,
        agent,
        provider,
        source,
        status: result.status,
        terminalSource: result.terminalSource,
        result: result.digest
      }),
      by
    )
    if (startedAt !== null) {
      yield* Telemetry.record(
        {
          type: "run.completed",
          taskId,
          agent,
          durationMs: Math.max(0, at - startedAt),
          success: result.status === "success"
        },
        by,
        Telemetry.attemptIdentity(taskId, id, "completed")
      )
    }
    yield* Admission.release(id, {
      reason: stopped.has(result.terminalSource) ? "attempt-stopped" : "attempt-ended",
      by
    })
    yield* cancelApprovalsOf(id)
    yield* Processes.forget(id)
    return { result, ...(yield* onTask ? showOnTask(rules, attempt, result, by) : taskAsIs(taskId)) }
  })

/** The ends that somebody else than the agent brings about. */
const stopped: ReadonlySet<string> = new Set(["stop", "cancel"])

const taskAsIs = (taskId: string): Effect.Effect<Omit<Ended, "result">, never, Sql> =>
  Effect.map(findTask(taskId), (found) => ({ taskStatus: found?.task.status ?? null }))

const showOnTask = (
  rules: StatusRulesService | undefined,
  attempt: Attempt,
  result: CompletionResult,
  by: ActorContext
): Effect.Effect<Omit<Ended, "result">, TaskFull, Sql> =>
  Effect.gen(function* () {
    const write: Write = { operation: "complete", by, agent: attempt.agent, precondition: unconditional }
    const found = yield* Effect.either(findForWrite(attempt.taskId, write))
    if (Either.isLeft(found)) return yield* taskAsIs(attempt.taskId)
    const before = found.right
    const documents = yield* documentsOf(attempt.id)
    const task = withAttempt(before.task, copyOf(attempt, documents?.envelope, result))
    const status = attempt.source === "workflow" ? undefined : earned[result.status]
    const happened = (changed: ConstructorParameters<typeof TaskUpdated>[0]) =>
      new TaskUpdated({ ...changed, fields: ["attempt"] })
    // A task that somebody finished or gave up meanwhile is not brought back by an attempt that ends later.
    const admitted = status !== undefined && before.task.status === "in-progress"
    if (rules === undefined || !admitted) {
      yield* commit(before, { task }, write, happened)
      return { taskStatus: before.task.status }
    }
    const changed = yield* Effect.either(changeStatus(rules, before, task, { status }, write, happened))
    if (Either.isRight(changed)) return { taskStatus: status }
    const refused = changed.left
    // What is no gate has written half of a change already: the unit is taken back as a whole.
    if (refused._tag === "TaskFull") return yield* refused
    if (refused._tag === "AutoTelemetryFailed" || refused._tag === "AutoTimeTrackingFailed")
      return yield* Effect.die(refused)
    yield* commit(before, { task }, write, happened)
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
