import { Schema, Struct } from "effect"
import { IdParam } from "../../kernel/IdParam.ts"
import { optional } from "../../kernel/Optional.ts"
import { Timestamp } from "../../kernel/Time.ts"
import { ImportSource } from "../agent-profiles/ImportSource.ts"

/** The most rosters that a board has. */
export const rosterLimit = 200

/** A profile in a team. Nothing is routed to a member that is not enabled. */
export const RosterMember = Schema.Struct({
  profileId: Schema.String,
  name: Schema.String,
  slug: Schema.String,
  enabled: Schema.Literal(false)
}).annotations({ identifier: "RosterMember" })
export type RosterMember = typeof RosterMember.Type

/** A team as a definition describes it. `unresolved` are its personas that the board has no profile of. */
export const ImportedRoster = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  description: optional(Schema.String),
  enabled: Schema.Literal(false),
  members: Schema.Array(RosterMember),
  unresolved: Schema.Array(Schema.String),
  source: ImportSource,
  revision: Schema.Int,
  createdAt: Timestamp,
  updatedAt: Timestamp
}).annotations({ identifier: "ImportedRoster" })
export type ImportedRoster = typeof ImportedRoster.Type

/** The roster by which work is given to agents. It has no rules and is not in use yet; imported teams stand beside it. */
export const TeamRosterManifest = Schema.Struct({
  enabled: Schema.Literal(false),
  coordinator: Schema.Null,
  members: Schema.Array(RosterMember),
  rules: Schema.Tuple(),
  fallbacks: Schema.Tuple(),
  reviewers: Schema.Tuple(),
  rosters: Schema.Array(ImportedRoster)
}).annotations({ identifier: "TeamRosterManifest" })
export type TeamRosterManifest = typeof TeamRosterManifest.Type

/** The id of an imported roster as it comes in a path. */
export const RosterIdParam = IdParam.annotations({ description: "The id of an imported roster" })

/** A roster as storage holds it: its members by their profiles, whose names they have. */
export const StoredRoster = Schema.Struct({
  ...Struct.omit(ImportedRoster.fields, "enabled", "members"),
  members: Schema.Array(RosterMember.pick("profileId", "slug"))
})
export type StoredRoster = typeof StoredRoster.Type

/** The part of a roster that belongs to its source: a refresh replaces it as a whole. */
export type RosterContent = Pick<StoredRoster, "name" | "description" | "members" | "unresolved">

/** A roster, or what will be one, as it is shown. A member whose profile is gone is unresolved. */
export const shown = <Roster extends Pick<StoredRoster, "members" | "unresolved">>(
  { members, unresolved, ...roster }: Roster,
  nameOf: (profileId: string) => string | undefined
) => {
  const found = members.flatMap(({ profileId, slug }): ReadonlyArray<RosterMember> => {
    const name = nameOf(profileId)
    return name === undefined ? [] : [{ profileId, name, slug, enabled: false }]
  })
  const slugs = new Set(found.map(({ slug }) => slug))
  return {
    ...roster,
    enabled: false as const,
    members: found,
    unresolved: [...members.map(({ slug }) => slug).filter((slug) => !slugs.has(slug)), ...unresolved]
  }
}

/** The manifest of a board: each profile that is in a roster is a member once. */
export const manifestOf = (rosters: ReadonlyArray<ImportedRoster>): TeamRosterManifest => ({
  enabled: false,
  coordinator: null,
  members: [
    ...new Map(rosters.flatMap(({ members }) => members).map((member) => [member.profileId, member])).values()
  ],
  rules: [],
  fallbacks: [],
  reviewers: [],
  rosters
})
