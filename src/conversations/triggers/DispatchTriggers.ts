import { Cause, Duration, Effect, type Scope } from "effect"
import { Standing } from "../../identity/Standing.ts"
import { system } from "../../kernel/Actor.ts"
import { now } from "../../kernel/Time.ts"
import * as Worker from "../../kernel/Worker.ts"
import * as Journal from "../../storage/events/Journal.ts"
import type { Sql } from "../../storage/Sql.ts"
import { Storage } from "../../storage/Storage.ts"
import * as Wakes from "../../storage/Wakes.ts"
import * as AuditRepo from "./AuditRepo.ts"
import { TriggerDispatched } from "./Events.ts"
import { type Dispatched, ExternalTriggers } from "./ExternalTriggers.ts"
import * as RuleRepo from "./RuleRepo.ts"
import { hook } from "./Trigger.ts"
import * as TriggerRepo from "./TriggerRepo.ts"

/** How often a start is tried that fails with a defect instead of an answer. */
const attemptLimit = 5

const verdictOf = (dispatched: Dispatched): AuditRepo.Verdict => {
  switch (dispatched._tag) {
    case "Launched":
      return { disposition: "launched", reasonCode: "run_started", runId: dispatched.runId }
    case "Waiting":
      return { disposition: "waiting", reasonCode: dispatched.reasonCode }
    case "Denied":
      return { disposition: "denied", reasonCode: dispatched.reasonCode }
    case "Failed":
      return { disposition: "failed", reasonCode: dispatched.reasonCode }
  }
}

/**
 * Starts the workflows that messages have set off, one after another. A start is over when its outcome is stored: a
 * process that dies in between dispatches it again under the same key, and gets the same run.
 */
export const startDispatching: Effect.Effect<
  void,
  never,
  Storage | ExternalTriggers | Standing | Worker.Workers | Scope.Scope
> = Effect.gen(function* () {
  const storage = yield* Storage
  const triggers = yield* ExternalTriggers
  const standing = yield* Standing

  /** A rule that was switched off meanwhile starts nothing, nor does one whose maker may no longer start it. */
  const dispatch = ({ causalKey, context, ruleId, workflowId }: TriggerRepo.StoredTrigger) =>
    Effect.gen(function* () {
      const stored = yield* storage.read(RuleRepo.find(ruleId))
      if (stored === undefined || !stored.rule.enabled)
        return { disposition: "disabled", reasonCode: "rule_disabled" } satisfies AuditRepo.Verdict
      const by = yield* standing.now(stored.founder)
      if (!(yield* triggers.mayExecute(workflowId, by)))
        return { disposition: "denied", reasonCode: "execute_not_permitted" } satisfies AuditRepo.Verdict
      if ((yield* triggers.workflow(workflowId)) === "missing")
        return { disposition: "failed", reasonCode: "workflow_missing" } satisfies AuditRepo.Verdict
      return verdictOf(yield* triggers.dispatch({ causalKey, workflowId, context, by }))
    })

  const start = (trigger: TriggerRepo.StoredTrigger) =>
    Effect.matchCauseEffect(dispatch(trigger), {
      onSuccess: (verdict) => storage.write(settle(trigger, verdict)),
      onFailure: (cause) =>
        Cause.isInterrupted(cause)
          ? Effect.failCause(cause)
          : Effect.zipRight(
              Effect.logError(`The trigger ${trigger.causalKey} could not be dispatched`, cause),
              storage.write(postpone(trigger))
            )
    })

  yield* Wakes.startDue("workflow-triggers", [TriggerRepo.queue], () =>
    Effect.gen(function* () {
      for (const trigger of yield* storage.read(Effect.flatMap(now, TriggerRepo.due))) yield* start(trigger)
      return yield* storage.read(TriggerRepo.nextDue)
    })
  )
})

const settle = (
  { adapterId, causalKey, ruleId, workflowId }: TriggerRepo.StoredTrigger,
  verdict: AuditRepo.Verdict
): Effect.Effect<void, never, Sql> =>
  Effect.gen(function* () {
    const { disposition, reasonCode, runId = null } = verdict
    yield* TriggerRepo.settle(causalKey, disposition, reasonCode, runId)
    yield* AuditRepo.settle(causalKey, verdict)
    yield* Journal.record(
      new TriggerDispatched({
        resourceId: causalKey,
        hook,
        adapterId,
        ruleId,
        workflowId,
        disposition,
        reasonCode,
        runId
      }),
      system
    )
  })

const postpone = (trigger: TriggerRepo.StoredTrigger): Effect.Effect<void, never, Sql> => {
  const attempts = trigger.attempts + 1
  return attempts >= attemptLimit
    ? settle(trigger, { disposition: "failed", reasonCode: "dispatch_broke" })
    : Effect.flatMap(now, (at) =>
        TriggerRepo.putOff(trigger.causalKey, at + Duration.toMillis(Worker.pauseAfter(attempts)))
      )
}
