import { Effect } from "effect"
import { type ActorContext, system } from "../../kernel/Actor.ts"
import { newId } from "../../kernel/Ids.ts"
import { iso, now } from "../../kernel/Time.ts"
import * as Journal from "../../storage/events/Journal.ts"
import type { Sql } from "../../storage/Sql.ts"
import { FindingDetected, FindingOverridden } from "./Events.ts"
import { type Evidence, type FindingKind, type Override, type OverrideCall, statusAfter } from "./Finding.ts"
import * as FindingRepo from "./FindingRepo.ts"

/** How much is found about one attempt at the most: by then it is known what it is like. */
export const findingLimit = 100

/** Something that was noticed about a run. `episode` tells one silence or repetition of it from the next. */
export interface Noticed {
  readonly taskId: string
  readonly attemptId: string
  readonly kind: FindingKind
  readonly episode: number
  readonly evidence: Evidence
}

/** Writes down what was noticed, once for each episode. */
export const keepFinding = ({ episode, ...noticed }: Noticed): Effect.Effect<void, never, Sql> =>
  Effect.gen(function* () {
    const { attemptId, kind, taskId } = noticed
    if ((yield* FindingRepo.countOf(attemptId)) >= findingLimit) return
    const id = yield* newId("finding")
    const detectedAt = iso(yield* now)
    const isNew = yield* FindingRepo.insert(
      { schemaVersion: "progress-watchdog-finding/v1", id, ...noticed, status: "open", detectedAt },
      episode
    )
    if (isNew) yield* Journal.record(new FindingDetected({ resourceId: id, taskId, attemptId, kind }), system)
  })

/** Writes down what somebody decided about an open finding, with what was done for it. */
export const keepOverride = (
  { finding }: FindingRepo.StoredFinding,
  { reason, resolution }: OverrideCall,
  by: ActorContext
): Effect.Effect<Override, never, Sql> =>
  Effect.gen(function* () {
    const { attemptId, id: findingId, kind, taskId } = finding
    const at = iso(yield* now)
    const override: Override = {
      schemaVersion: "progress-watchdog-override/v1",
      id: yield* newId("override"),
      ...{ findingId, taskId, attemptId, resolution, reason },
      decidedBy: by.name,
      createdAt: at
    }
    const action = {
      schemaVersion: "progress-watchdog-action/v1",
      id: yield* newId("action"),
      ...{ findingId, overrideId: override.id, taskId, attemptId },
      action: "cancel",
      performedAt: at
    } as const
    yield* FindingRepo.decide({
      finding: { ...finding, status: statusAfter[resolution] },
      override,
      action: resolution === "cancel" ? action : undefined
    })
    const facts = { resourceId: findingId, taskId, attemptId, kind, resolution }
    yield* Journal.record(new FindingOverridden(facts), by)
    return override
  })
