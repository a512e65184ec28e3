import { Effect } from "effect"
import type { ActorContext } from "../../kernel/Actor.ts"
import { newId } from "../../kernel/Ids.ts"
import { now } from "../../kernel/Time.ts"
import * as Journal from "../../storage/Journal.ts"
import type { Sql } from "../../storage/Sql.ts"
import type { TrackerAudit } from "./TrackerAudit.ts"
import * as TrackerAuditRepo from "./TrackerAuditRepo.ts"

/** What happened, and what of the board's resources it is about. */
export type Happening = Omit<TrackerAudit, "id" | "timestamp" | "actor">

/** Records what happened in the unit that does it: for the audit of the trackers, the outbox and the audit chain. */
export const record = (happening: Happening, by: ActorContext): Effect.Effect<void, never, Sql> =>
  Effect.gen(function* () {
    const { action, approvedBy: _, profileId, taskId, ...payload } = happening
    yield* TrackerAuditRepo.append(
      { id: yield* newId("tracker_audit"), actor: by.name, ...happening },
      yield* now
    )
    yield* Journal.recordChange({
      kind: `tracker.${action}`,
      resource: "tracker",
      resourceId: profileId ?? payload.provider ?? "connection",
      by,
      payload: { ...payload, ...(taskId === undefined ? {} : { taskId }) }
    })
  })
