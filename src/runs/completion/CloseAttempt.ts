import { Effect } from "effect"
import * as Admission from "../../governance/admission/Units.ts"
import { cancelApprovalsOf } from "../../governance/approvals/Units.ts"
import * as Telemetry from "../../insight/telemetry/Units.ts"
import type { ActorContext } from "../../kernel/Actor.ts"
import * as Journal from "../../storage/events/Journal.ts"
import type { Sql } from "../../storage/Sql.ts"
import { type Attempt, decide } from "../attempts/Attempt.ts"
import { AttemptEnded } from "../attempts/Events.ts"
import { endAttempt } from "../attempts/Units.ts"
import type { CompletionResult } from "../documents/CompletionResult.ts"
import * as Processes from "../processes/Units.ts"

/** When an attempt ends, and who ends it. */
export interface End {
  readonly at: number
  readonly by: ActorContext
}

/** The ends that somebody else than the agent brings about. */
const stopped: ReadonlySet<string> = new Set(["stop", "cancel"])

/**
 * The end of an attempt apart from its task: its result and its telemetry are written, what it held is free again, and
 * what it asked for is cancelled.
 */
export const closeAttempt = (
  attempt: Attempt,
  result: CompletionResult,
  { at, by }: End
): Effect.Effect<void, never, Sql> =>
  Effect.gen(function* () {
    if (decide(attempt, { _tag: "End", status: result.status })._tag === "Unfit") {
      return yield* Effect.dieMessage(`Attempt ${attempt.id} ended twice`)
    }
    const { agent, id, provider, source, startedAt, taskId } = attempt
    yield* endAttempt(id, result, at)
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
  })
