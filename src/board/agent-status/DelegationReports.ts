import { Effect } from "effect"
import type { ActorContext } from "../../kernel/Actor.ts"
import { newId } from "../../kernel/Ids.ts"
import { redactJson, redactText } from "../../kernel/Redaction.ts"
import { iso, now } from "../../kernel/Time.ts"
import * as Journal from "../../storage/events/Journal.ts"
import type { Sql } from "../../storage/Sql.ts"
import * as Squad from "../squad/Units.ts"
import type { TaskNotFound } from "../tasks/Errors.ts"
import { requireTask } from "../tasks/Units.ts"
import { type DelegationReport, type DelegationViolation, warningOf } from "./Delegation.ts"
import * as DelegationRepo from "./DelegationRepo.ts"
import type { DelegationWarningsService } from "./DelegationWarnings.ts"
import { DelegationViolationReported } from "./Events.ts"

/** Records a delegation report, and tells the squad of it when the gate is on. */
export const reportViolation = (
  warnings: DelegationWarningsService,
  report: DelegationReport,
  by: ActorContext
): Effect.Effect<DelegationViolation, TaskNotFound, Sql> =>
  Effect.gen(function* () {
    const { action, taskId } = report
    if (taskId !== undefined) yield* requireTask(taskId)
    const id = yield* newId("violation")
    const at = yield* now
    const reported: DelegationReport = {
      agent: redactText(report.agent),
      ...(taskId === undefined ? {} : { taskId }),
      ...(action === undefined ? {} : { action: redactText(action) }),
      ...("details" in report ? { details: redactJson(report.details) } : {})
    }
    const warning = (yield* warnings.enabled) ? warningOf(reported) : null
    const violation: DelegationViolation = { id, ...reported, warning, createdAt: iso(at) }
    yield* DelegationRepo.insert(violation, at)
    yield* Journal.record(
      new DelegationViolationReported({
        resourceId: id,
        warned: warning !== null,
        ...(taskId === undefined ? {} : { taskId })
      }),
      by
    )
    if (warning !== null) {
      const event = { kind: "status", message: warning, ...(taskId === undefined ? {} : { taskId }) } as const
      yield* Squad.postSystem(event, by)
    }
    return violation
  })
