import { Context, Effect, Layer } from "effect"
import type { ActorContext } from "../../kernel/Actor.ts"
import { defaultLimit, type Page } from "../../kernel/Paging.ts"
import { nowIso } from "../../kernel/Time.ts"
import * as Journal from "../../storage/events/Journal.ts"
import type { Sql } from "../../storage/Sql.ts"
import { Storage } from "../../storage/Storage.ts"
import type { TaskNotFound } from "../tasks/Errors.ts"
import { requireTask } from "../tasks/Units.ts"
import { callCeremony } from "./CallCeremony.ts"
import {
  type Ceremony,
  type CeremonyCompletion,
  type CeremonyDraft,
  complete,
  missingKinds
} from "./Ceremony.ts"
import * as CeremonyRepo from "./CeremonyRepo.ts"
import { ArtifactsMissing, CeremonyCompleted, CeremonyNotFound, CeremonyPending } from "./Errors.ts"
import { CeremonyHeld } from "./Events.ts"

/** The ceremonies that people and agents hold about tasks, called by somebody or asked for by a gate. */
export interface CeremoniesService {
  readonly list: (
    selection: CeremonyRepo.Selection & { readonly limit?: number | undefined }
  ) => Effect.Effect<Page<Ceremony>>
  readonly get: (id: string) => Effect.Effect<Ceremony, CeremonyNotFound>
  readonly create: (
    draft: CeremonyDraft,
    by: ActorContext
  ) => Effect.Effect<Ceremony, TaskNotFound | CeremonyPending>
  readonly complete: (
    id: string,
    completion: CeremonyCompletion,
    by: ActorContext
  ) => Effect.Effect<Ceremony, CeremonyNotFound | CeremonyCompleted | ArtifactsMissing>
}

export class Ceremonies extends Context.Tag("muster/Ceremonies")<Ceremonies, CeremoniesService>() {
  static readonly layer = Layer.effect(
    Ceremonies,
    Effect.map(Storage, (storage) =>
      Ceremonies.of({
        list: ({ limit = defaultLimit, ...selection }) => storage.read(CeremonyRepo.page(selection, limit)),
        get: (id) => storage.read(requireCeremony(id)),
        create: Effect.fn("Ceremonies.create")((draft, by) => storage.write(createCeremony(draft, by))),
        complete: Effect.fn("Ceremonies.complete")((id, completion, by) =>
          storage.write(completeCeremony(id, completion, by))
        )
      })
    )
  )
}

const requireCeremony = (id: string): Effect.Effect<Ceremony, CeremonyNotFound, Sql> =>
  Effect.filterOrFail(
    CeremonyRepo.find(id),
    (found) => found !== undefined,
    () => new CeremonyNotFound({ ceremonyId: id })
  )

const createCeremony = (draft: CeremonyDraft, by: ActorContext) =>
  Effect.gen(function* () {
    const { taskId, type } = draft
    yield* requireTask(taskId)
    const pending = yield* CeremonyRepo.findPending(taskId, type)
    if (pending !== undefined) {
      return yield* new CeremonyPending({ ceremonyId: pending.id, ceremonyType: type, taskId })
    }
    return yield* callCeremony(draft, by)
  })

const completeCeremony = (id: string, completion: CeremonyCompletion, by: ActorContext) =>
  Effect.gen(function* () {
    const pending = yield* requireCeremony(id)
    if (pending.completedAt !== undefined) {
      return yield* new CeremonyCompleted({ ceremonyId: id, completedAt: pending.completedAt })
    }
    yield* requireArtifacts(pending, completion)
    const held = complete(pending, completion, { at: yield* nowIso, by: by.name })
    yield* CeremonyRepo.update(held)
    const { taskId, type } = held
    yield* Journal.record(new CeremonyHeld({ resourceId: id, taskId, type }), by)
    return held
  })

const requireArtifacts = (
  ceremony: Ceremony,
  { artifacts = [] }: CeremonyCompletion
): Effect.Effect<void, ArtifactsMissing> => {
  const missing = missingKinds(ceremony, artifacts)
  if (missing.length === 0 && artifacts.length > 0) return Effect.void
  const message =
    missing.length === 0
      ? "Expected at least one artifact: what did the ceremony bring forth?"
      : `Expected an artifact of each required kind; missing: ${missing.join(", ")}`
  return new ArtifactsMissing({ issues: [{ path: "artifacts", message }] })
}
