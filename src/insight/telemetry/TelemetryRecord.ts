import { Effect } from "effect"
import type { ActorContext } from "../../kernel/Actor.ts"
import { newId } from "../../kernel/Ids.ts"
import { nowIso } from "../../kernel/Time.ts"
import * as Journal from "../../storage/events/Journal.ts"
import type { Sql } from "../../storage/Sql.ts"
import { TelemetryRecorded } from "./Events.ts"
import type { NetworkEgress } from "./NetworkEgress.ts"
import type { TelemetryDraft, TelemetryEvent } from "./TelemetryEvent.ts"
import * as TelemetryRepo from "./TelemetryRepo.ts"

/**
 * Records an event within a unit, for every room that reports one.
 *
 * `identity` names what the event is about, such as a task, its attempt and the transition. Only the first event with
 * an identity is recorded; a later one is left out, and the first is the answer (decision Q57).
 */
export const record = (
  event: TelemetryDraft | NetworkEgress,
  by: ActorContext,
  identity?: string
): Effect.Effect<TelemetryEvent, never, Sql> =>
  Effect.gen(function* () {
    const known = identity === undefined ? undefined : yield* TelemetryRepo.withIdentity(identity)
    if (known !== undefined) return known
    const recorded = { id: yield* newId("event"), timestamp: yield* nowIso, ...event }
    yield* TelemetryRepo.insert(recorded, identity)
    const { id: resourceId, taskId, type } = recorded
    yield* Journal.record(new TelemetryRecorded({ resourceId, type, taskId }), by)
    return recorded
  })

/** When the last run of a task started, in milliseconds since the epoch. */
export const lastRunStarted = (taskId: string): Effect.Effect<number | undefined, never, Sql> =>
  TelemetryRepo.lastOf("run.started", taskId)
