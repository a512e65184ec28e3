import { Effect } from "effect"
import type { ActorContext } from "../../kernel/Actor.ts"
import { nowIso } from "../../kernel/Time.ts"
import * as Journal from "../../storage/events/Journal.ts"
import type { Sql } from "../../storage/Sql.ts"
import { auditOf, type ImportSource } from "../agent-profiles/ImportSource.ts"
import { RosterLimitReached } from "./Errors.ts"
import { TeamRosterCreated, TeamRosterDeleted, TeamRosterUpdated } from "./Events.ts"
import * as RosterRepo from "./RosterRepo.ts"
import { type RosterContent, rosterLimit, type StoredRoster } from "./TeamRoster.ts"

/*
 * The units that write rosters, for this room and for whoever brings rosters in from elsewhere: they run in
 * the unit of the import.
 */

/** A roster that somebody brings: where it goes, what it says, and where it comes from. */
export interface RosterDraft {
  readonly id: string
  readonly content: RosterContent
  readonly source: ImportSource
}

/** Adds a roster, disabled like its members. Whoever adds it has seen that its id is free. */
export const create = (
  { content, id, source }: RosterDraft,
  by: ActorContext
): Effect.Effect<StoredRoster, RosterLimitReached, Sql> =>
  Effect.gen(function* () {
    if ((yield* RosterRepo.count) >= rosterLimit) return yield* new RosterLimitReached({ limit: rosterLimit })
    const at = yield* nowIso
    const roster: StoredRoster = { id, ...content, source, revision: 1, createdAt: at, updatedAt: at }
    yield* RosterRepo.insert(roster)
    yield* Journal.record(new TeamRosterCreated(factsOf(roster)), by)
    return roster
  })

/** Writes the next revision of a roster. */
export const change = (
  before: StoredRoster,
  after: StoredRoster,
  by: ActorContext
): Effect.Effect<StoredRoster, never, Sql> =>
  Effect.gen(function* () {
    const next = { ...after, revision: before.revision + 1, updatedAt: yield* nowIso }
    yield* RosterRepo.update(before, next)
    yield* Journal.record(new TeamRosterUpdated(factsOf(next)), by)
    return next
  })

/** A roster with what belongs to its source replaced. */
export const withContent = (
  { description: _, ...roster }: StoredRoster,
  content: RosterContent,
  source: ImportSource
): StoredRoster => ({ ...roster, ...content, source })

/** Removes a roster. */
export const remove = (roster: StoredRoster, by: ActorContext): Effect.Effect<void, never, Sql> =>
  Effect.zipRight(RosterRepo.remove(roster.id), Journal.record(new TeamRosterDeleted(factsOf(roster)), by))

const factsOf = ({ id, members, revision, source }: StoredRoster) => ({
  resourceId: id,
  revision,
  members: members.length,
  source: auditOf(source)
})
