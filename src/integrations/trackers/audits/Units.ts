import { Effect } from "effect"
import type { ActorContext } from "../../../kernel/Actor.ts"
import { newId } from "../../../kernel/Ids.ts"
import { now } from "../../../kernel/Time.ts"
import * as Journal from "../../../storage/events/Journal.ts"
import type { Sql } from "../../../storage/Sql.ts"
import type { TrackerEvent } from "./Events.ts"
import type { TrackerAction, TrackerAudit } from "./TrackerAudit.ts"
import * as TrackerAuditRepo from "./TrackerAuditRepo.ts"

/** The newest entries of the audit. */
export { newest as newestAudits } from "./TrackerAuditRepo.ts"

/** The action of each event in the audit of the trackers. */
const actions: Readonly<Record<TrackerEvent["_tag"], TrackerAction>> = {
  "tracker.connection.updated": "connection.updated",
  "tracker.schema.introspected": "schema.introspected",
  "tracker.profile.saved": "profile.saved",
  "tracker.create.started": "create.started",
  "tracker.create.failed": "create.failed",
  "tracker.create.unknown": "create.unknown",
  "tracker.create.succeeded": "create.succeeded",
  "tracker.create.linked": "create.linked"
}

/** What the audit holds beside the event: the profile, and who approved that the task leaves the board. */
type About = Pick<TrackerAudit, "profileId" | "approvedBy">

/** Records what happened in the unit that does it: for the audit of the trackers, the outbox and the audit chain. */
export const record = (
  event: TrackerEvent,
  by: ActorContext,
  { approvedBy, profileId }: About = {}
): Effect.Effect<void, never, Sql> =>
  Effect.gen(function* () {
    const { _tag, resource: _resource, resourceId: _stream, ...facts } = event
    yield* TrackerAuditRepo.append(
      {
        id: yield* newId("tracker_audit"),
        actor: by.name,
        action: actions[_tag],
        ...(approvedBy === undefined ? {} : { approvedBy }),
        ...(profileId === undefined ? {} : { profileId }),
        ...facts
      },
      yield* now
    )
    yield* Journal.record(event, by)
  })
