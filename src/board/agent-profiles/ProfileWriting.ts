import { Effect } from "effect"
import type { ActorContext } from "../../kernel/Actor.ts"
import { nowIso } from "../../kernel/Time.ts"
import * as Journal from "../../storage/events/Journal.ts"
import type { Sql } from "../../storage/Sql.ts"
import { type AgentProfile, type ProfileContent, profileLimit } from "./AgentProfile.ts"
import * as AgentProfileRepo from "./AgentProfileRepo.ts"
import { AgentProfileLimitReached } from "./Errors.ts"
import { AgentProfileCreated, AgentProfileDeleted, AgentProfileUpdated } from "./Events.ts"
import { auditOf, type ImportSource } from "./ImportSource.ts"

/*
 * The units that write profiles, for this room and for whoever brings profiles in from elsewhere: they run in
 * the unit of the import.
 */

/** A profile that somebody brings: where it goes, what it says, and where it comes from. */
export interface ProfileDraft {
  readonly id: string
  readonly content: ProfileContent
  readonly source?: ImportSource
}

/** Adds a profile, disabled. Whoever adds it has seen that its id is free. */
export const create = (
  { content, id, source }: ProfileDraft,
  by: ActorContext
): Effect.Effect<AgentProfile, AgentProfileLimitReached, Sql> =>
  Effect.gen(function* () {
    if ((yield* AgentProfileRepo.count) >= profileLimit)
      return yield* new AgentProfileLimitReached({ limit: profileLimit })
    const at = yield* nowIso
    const profile: AgentProfile = {
      id,
      ...content,
      enabled: false,
      ...(source === undefined ? {} : { source }),
      revision: 1,
      createdAt: at,
      updatedAt: at
    }
    yield* AgentProfileRepo.insert(profile)
    yield* Journal.record(new AgentProfileCreated(factsOf(profile)), by)
    return profile
  })

/** Writes the next revision of a profile. */
export const change = (
  before: AgentProfile,
  after: AgentProfile,
  by: ActorContext
): Effect.Effect<AgentProfile, never, Sql> =>
  Effect.gen(function* () {
    const next = { ...after, revision: before.revision + 1, updatedAt: yield* nowIso }
    yield* AgentProfileRepo.update(before, next)
    yield* Journal.record(new AgentProfileUpdated(factsOf(next)), by)
    return next
  })

/** A profile with what belongs to its source replaced; what was set here, `enabled` before all, stays. */
export const withContent = (
  { avatarUrl: _, ...profile }: AgentProfile,
  content: ProfileContent,
  source: ImportSource
): AgentProfile => ({ ...profile, ...content, source })

/** Removes a profile. */
export const remove = (profile: AgentProfile, by: ActorContext): Effect.Effect<void, never, Sql> =>
  Effect.zipRight(
    AgentProfileRepo.remove(profile.id),
    Journal.record(new AgentProfileDeleted(factsOf(profile)), by)
  )

const factsOf = ({ enabled, id, revision, source }: AgentProfile) => ({
  resourceId: id,
  revision,
  enabled,
  ...(source === undefined ? {} : { source: auditOf(source) })
})
