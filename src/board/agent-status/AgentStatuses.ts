import { Context, Effect, Layer } from "effect"
import type { ActorContext } from "../../kernel/Actor.ts"
import { redactJson } from "../../kernel/Redaction.ts"
import { nowIso } from "../../kernel/Time.ts"
import * as Journal from "../../storage/events/Journal.ts"
import { singleton } from "../../storage/Singleton.ts"
import type { Sql } from "../../storage/Sql.ts"
import { Storage } from "../../storage/Storage.ts"
import type { TaskNotFound } from "../tasks/Errors.ts"
import type { DelegationReport, DelegationViolation } from "./Delegation.ts"
import { reportViolation } from "./DelegationReports.ts"
import { DelegationWarnings } from "./DelegationWarnings.ts"
import { AgentStatusUpdated } from "./Events.ts"
import { AgentStatus, type AgentStatusReport, idle } from "./Status.ts"

/** What the agents of the board report of themselves. */
export interface AgentStatusesService {
  readonly get: Effect.Effect<AgentStatus>
  readonly report: (report: AgentStatusReport, by: ActorContext) => Effect.Effect<AgentStatus>
  /** Records that an orchestrator did the work itself. It never changes a task. */
  readonly reportViolation: (
    report: DelegationReport,
    by: ActorContext
  ) => Effect.Effect<DelegationViolation, TaskNotFound>
}

const stored = singleton("agent-status", AgentStatus)

/** The status as it is now. */
export const current: Effect.Effect<AgentStatus, never, Sql> = Effect.map(
  stored.read,
  (status) => status ?? idle
)

/** Merges a report into the status. A report of nothing changes nothing. */
const merge = (report: AgentStatusReport, by: ActorContext): Effect.Effect<AgentStatus, never, Sql> =>
  Effect.gen(function* () {
    const before = yield* current
    const fields = Object.keys(report)
    if (fields.length === 0) return before
    const status: AgentStatus = { ...before, ...redactJson(report), updatedAt: yield* nowIso }
    yield* stored.write(status)
    yield* Journal.record(
      new AgentStatusUpdated({
        resourceId: "board",
        fields,
        subAgentCount: status.subAgentCount,
        activeAgents: status.activeAgents.length
      }),
      by
    )
    return status
  })

export class AgentStatuses extends Context.Tag("muster/AgentStatuses")<
  AgentStatuses,
  AgentStatusesService
>() {
  static readonly layer = Layer.effect(
    AgentStatuses,
    Effect.gen(function* () {
      const storage = yield* Storage
      const warnings = yield* DelegationWarnings
      return AgentStatuses.of({
        get: storage.read(current),
        report: Effect.fn("AgentStatuses.report")((report, by) => storage.write(merge(report, by))),
        reportViolation: Effect.fn("AgentStatuses.reportViolation")((report, by) =>
          Effect.tap(storage.write(reportViolation(warnings, report, by)), ({ warning }) =>
            warning === null ? Effect.void : Effect.logWarning(warning)
          )
        )
      })
    })
  )
}
