import { Effect } from "effect"
import { type ActorContext, system } from "../../kernel/Actor.ts"
import { now } from "../../kernel/Time.ts"
import * as Journal from "../../storage/events/Journal.ts"
import type { Sql } from "../../storage/Sql.ts"
import type { ReleaseReason } from "../admission/Reservation.ts"
import * as Admission from "../admission/Units.ts"
import type { AdmissionRequest } from "../capacity/AdmissionRequest.ts"
import type { Dispatcher } from "./Dispatch.ts"
import { decide, type Outcome } from "./Entry.ts"
import type { StoredEntry } from "./EntryRepo.ts"
import * as EntryRepo from "./EntryRepo.ts"
import { QueueEntryOver } from "./Errors.ts"
import { AdmissionEnded } from "./Events.ts"

const reasons: Readonly<Record<Outcome, ReleaseReason>> = {
  cancelled: "queue-cancelled",
  withdrawn: "attempt-stopped",
  "policy-denied": "queue-cancelled",
  "dispatch-refused": "dispatch-refused",
  "dispatch-broke": "dispatch-broke"
}

/** Ends an entry that waits, gives back what it was given, and says what was asked for. One that has started, or is over, stays so. */
export const endEntry = (
  entry: StoredEntry,
  outcome: Outcome,
  by: ActorContext
): Effect.Effect<AdmissionRequest, QueueEntryOver, Sql> =>
  Effect.gen(function* () {
    const state = yield* Effect.mapError(
      decide(entry.state, "end"),
      (over) => new QueueEntryOver({ queueId: entry.id, state: over })
    )
    yield* EntryRepo.move(entry, state, { outcome, endedAt: yield* now })
    if (entry.reservationId !== null) {
      yield* Admission.releaseReservation(entry.reservationId, { reason: reasons[outcome], by })
    }
    const { request } = yield* EntryRepo.launchOf(entry)
    const { attemptId, source, taskId } = request
    yield* Journal.record(
      new AdmissionEnded({ resourceId: entry.id, taskId, attemptId, source, outcome }),
      by
    )
    return request
  })

/** The same, and the attempt that waited by it ends with it. */
export const abandon = (
  dispatchers: ReadonlyArray<Dispatcher>,
  entry: StoredEntry,
  outcome: Outcome,
  by: ActorContext = system
): Effect.Effect<void, QueueEntryOver, Sql> =>
  Effect.gen(function* () {
    const request = yield* endEntry(entry, outcome, by)
    const dispatcher = dispatchers.find(({ sources }) => sources.includes(entry.source))
    yield* dispatcher?.withdraw({ queueId: entry.id, request, outcome, by }) ?? Effect.void
  })
