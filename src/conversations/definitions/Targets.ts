import { Effect } from "effect"
import type { AgentProfile, ProfileContent } from "../../board/agent-profiles/AgentProfile.ts"
import type { AgentProfileLimitReached } from "../../board/agent-profiles/Errors.ts"
import {
  type DefinitionCoordinate,
  type ImportSource,
  personaKind
} from "../../board/agent-profiles/ImportSource.ts"
import * as Profiles from "../../board/agent-profiles/Units.ts"
import type { RosterLimitReached } from "../../board/team-roster/Errors.ts"
import { type RosterContent, type StoredRoster, shown } from "../../board/team-roster/TeamRoster.ts"
import * as Rosters from "../../board/team-roster/Units.ts"
import type { ActorContext } from "../../kernel/Actor.ts"
import { digest, sha256 } from "../../kernel/Digest.ts"
import type { Sql } from "../../storage/Sql.ts"
import type { TeamContent } from "../definition-documents/Team.ts"
import type { Linkable } from "./Collision.ts"
import type { TargetKind } from "./Link.ts"
import type { ProposedProfile, ProposedRoster } from "./Preview.ts"

/** What a definition says in the board's terms, and which state of the board that depends on. */
export interface Resolved<Content> {
  readonly content: Content
  readonly unresolved: ReadonlyArray<string>
  readonly basis: ReadonlyArray<string>
}

/** How one kind of definition meets the board: personas become profiles, teams become rosters. */
export interface Targets<Source, Content, Target extends Linkable> {
  readonly kind: TargetKind
  readonly find: (id: string) => Effect.Effect<Target | undefined, never, Sql>
  readonly ofSource: (coordinate: DefinitionCoordinate) => Effect.Effect<Target | undefined, never, Sql>
  readonly resolve: (source: Source, author: string) => Effect.Effect<Resolved<Content>, never, Sql>
  readonly create: (
    draft: { readonly id: string; readonly content: Content; readonly source: ImportSource },
    by: ActorContext
  ) => Effect.Effect<Target, AgentProfileLimitReached | RosterLimitReached, Sql>
  readonly change: (before: Target, after: Target, by: ActorContext) => Effect.Effect<Target, never, Sql>
  readonly linked: (target: Target, source: ImportSource) => Target
  readonly refreshed: (target: Target, content: Content, source: ImportSource) => Target
  /** The target after the action: a new one, or the changed one. */
  readonly proposed: (
    target: (Content & { readonly id: string; readonly enabled?: boolean }) | Target
  ) => Effect.Effect<ProposedProfile | ProposedRoster, never, Sql>
  /** The same text for the same state of the target and of what its new content depends on. */
  readonly revisionOf: (target: Target | undefined, basis: ReadonlyArray<string>) => string
}

const bare = (value: unknown): string => digest(value).slice("sha256:".length)

const stateOf = (target: Linkable | undefined): string =>
  target === undefined ? sha256("absent") : bare(target)

const personas: Targets<ProfileContent, ProfileContent, AgentProfile> = {
  kind: "profile",
  find: Profiles.find,
  ofSource: Profiles.ofSource,
  resolve: (content) => Effect.succeed({ content, unresolved: [], basis: [] }),
  create: Profiles.create,
  change: Profiles.change,
  linked: (profile, source) => ({ ...profile, source }),
  refreshed: Profiles.withContent,
  proposed: (profile) => Effect.succeed({ enabled: false, ...profile }),
  revisionOf: stateOf
}

const teams: Targets<TeamContent, RosterContent, StoredRoster> = {
  kind: "roster",
  find: Rosters.find,
  ofSource: Rosters.ofSource,
  resolve: ({ personas, ...content }, authorPubkey) =>
    Effect.map(
      Effect.forEach(personas, (slug) =>
        Effect.map(Profiles.ofSource({ authorPubkey, kind: personaKind, dTag: slug }), (profile) => ({
          slug,
          profile
        }))
      ),
      (found) => {
        const members = found.flatMap(({ profile, slug }) => (profile ? [{ slug, profile }] : []))
        const unresolved = found.flatMap(({ profile, slug }) => (profile ? [] : [slug]))
        return {
          content: {
            ...content,
            members: members.map(({ profile, slug }) => ({ slug, profileId: profile.id })),
            unresolved
          },
          unresolved,
          basis: members.map(({ profile }) => stateOf(profile))
        }
      }
    ),
  create: Rosters.create,
  change: Rosters.change,
  linked: (roster, source) => ({ ...roster, source }),
  refreshed: Rosters.withContent,
  proposed: (roster) =>
    Effect.map(Profiles.names(roster.members.map(({ profileId }) => profileId)), (names) =>
      shown(roster, (id) => names.get(id))
    ),
  revisionOf: (roster, members) => bare({ roster: stateOf(roster), members })
}

export const targets = { persona: personas, team: teams }
