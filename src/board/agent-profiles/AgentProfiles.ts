import { Context, Effect, Layer } from "effect"
import type { ActorContext } from "../../kernel/Actor.ts"
import { type Precondition, type RevisionConflict, requireCurrent } from "../../kernel/Revision.ts"
import type { Sql } from "../../storage/Sql.ts"
import { Storage } from "../../storage/Storage.ts"
import type { AgentProfile, AgentProfilePatch } from "./AgentProfile.ts"
import * as AgentProfileRepo from "./AgentProfileRepo.ts"
import { AgentProfileNotFound } from "./Errors.ts"
import * as ProfileWriting from "./ProfileWriting.ts"

/** What agents are told to be. */
export interface AgentProfilesService {
  readonly list: Effect.Effect<ReadonlyArray<AgentProfile>>
  readonly get: (id: string) => Effect.Effect<AgentProfile, AgentProfileNotFound>
  /** A patch that names nothing writes nothing. */
  readonly patch: (
    id: string,
    patch: AgentProfilePatch,
    precondition: Precondition,
    by: ActorContext
  ) => Effect.Effect<AgentProfile, AgentProfileNotFound | RevisionConflict>
  readonly remove: (
    id: string,
    precondition: Precondition,
    by: ActorContext
  ) => Effect.Effect<void, AgentProfileNotFound | RevisionConflict>
}

export class AgentProfiles extends Context.Tag("muster/AgentProfiles")<
  AgentProfiles,
  AgentProfilesService
>() {
  static readonly layer = Layer.effect(
    AgentProfiles,
    Effect.map(Storage, (storage) =>
      AgentProfiles.of({
        list: storage.read(AgentProfileRepo.all),
        get: (id) => storage.read(requireProfile(id)),
        patch: Effect.fn("AgentProfiles.patch")((id, patch, precondition, by) =>
          storage.write(
            Effect.filterOrElse(
              findForWrite(id, precondition),
              () => Object.keys(patch).length === 0,
              (before) => ProfileWriting.change(before, { ...before, ...patch }, by)
            )
          )
        ),
        remove: Effect.fn("AgentProfiles.remove")((id, precondition, by) =>
          storage.write(
            Effect.flatMap(findForWrite(id, precondition), (profile) => ProfileWriting.remove(profile, by))
          )
        )
      })
    )
  )
}

const requireProfile = (id: string): Effect.Effect<AgentProfile, AgentProfileNotFound, Sql> =>
  Effect.filterOrFail(
    AgentProfileRepo.find(id),
    (found) => found !== undefined,
    () => new AgentProfileNotFound({ profileId: id })
  )

/** Finds a profile that is about to be written: it exists, and is still the revision that the write was based on. */
const findForWrite = (
  id: string,
  precondition: Precondition
): Effect.Effect<AgentProfile, AgentProfileNotFound | RevisionConflict, Sql> =>
  Effect.flatMap(requireProfile(id), (current) => requireCurrent("agent-profile", current, precondition))
