import { Effect } from "effect"
import type { ActorContext } from "../../kernel/Actor.ts"
import { newId } from "../../kernel/Ids.ts"
import { nowIso } from "../../kernel/Time.ts"
import * as Journal from "../../storage/Journal.ts"
import type { Sql } from "../../storage/Sql.ts"
import { type Ceremony, type CeremonyDraft, type CeremonyReason, call } from "./Ceremony.ts"
import * as CeremonyRepo from "./CeremonyRepo.ts"

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
    yield* record("ceremony.created", ceremony, by)
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

/** Records what happened to a ceremony. */
export const record = (kind: string, { id, taskId, type }: Ceremony, by: ActorContext) =>
  Journal.recordChange({ kind, resource: "ceremony", resourceId: id, by, payload: { taskId, type } })
