import { Effect } from "effect"
import type { ActorContext } from "../../kernel/Actor.ts"
import { newId } from "../../kernel/Ids.ts"
import { nowIso } from "../../kernel/Time.ts"
import * as Journal from "../../storage/events/Journal.ts"
import type { Sql } from "../../storage/Sql.ts"
import { type Ceremony, type CeremonyDraft, type CeremonyReason, call } from "./Ceremony.ts"
import * as CeremonyRepo from "./CeremonyRepo.ts"
import { CeremonyCreated } from "./Events.ts"

/*
 * The units that call a ceremony, for this room and for the gates: those run in the unit of the status change.
 */

/** Records a ceremony that waits to be held. */
export const callCeremony = (
  draft: CeremonyDraft,
  by: ActorContext,
  reasons: ReadonlyArray<CeremonyReason> = []
): Effect.Effect<Ceremony, never, Sql> =>
  Effect.gen(function* () {
    const id = yield* newId("ceremony")
    const ceremony = call(draft, { id, at: yield* nowIso, by: by.name, reasons })
    yield* CeremonyRepo.insert(ceremony)
    const { taskId, type } = ceremony
    yield* Journal.record(new CeremonyCreated({ resourceId: id, taskId, type }), by)
    return ceremony
  })

/** The ceremony of this type that the task waits for; it is called when there is none. */
export const callOnce = (
  draft: CeremonyDraft,
  by: ActorContext,
  reasons: ReadonlyArray<CeremonyReason>
): Effect.Effect<Ceremony, never, Sql> =>
  Effect.flatMap(CeremonyRepo.findPending(draft.taskId, draft.type), (pending) =>
    pending === undefined ? callCeremony(draft, by, reasons) : Effect.succeed(pending)
  )
