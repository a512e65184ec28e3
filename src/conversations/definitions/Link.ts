import { Schema } from "effect"
import { DefinitionCoordinate, type ImportSource } from "../../board/agent-profiles/ImportSource.ts"
import { Timestamp } from "../../kernel/Time.ts"
import { type Found, type Head, keyOf } from "../definition-documents/Head.ts"

/** What a definition becomes: a persona a profile, a team a roster. */
export const TargetKind = Schema.Literal("profile", "roster")
export type TargetKind = typeof TargetKind.Type

/** How a link stands to the relay; `unavailable` when the relay can't be asked. */
export const LinkStatus = Schema.Literal("current", "changed", "missing", "unavailable").annotations({
  identifier: "DefinitionLinkStatus"
})
export type LinkStatus = typeof LinkStatus.Type

/** What was imported, from which event, and what the relay has now. */
export const DefinitionLink = Schema.Struct({
  coordinate: DefinitionCoordinate,
  targetId: Schema.String,
  targetKind: TargetKind,
  eventId: Schema.String,
  headEventId: Schema.NullOr(Schema.String),
  status: LinkStatus,
  linkedAt: Timestamp
}).annotations({ identifier: "DefinitionLink" })
export type DefinitionLink = typeof DefinitionLink.Type

/** A link as the board holds it. */
export interface StoredLink {
  readonly targetId: string
  readonly targetKind: TargetKind
  readonly source: ImportSource
}

/** A link beside the head that the relay has. */
export const linkWith = ({ source, ...target }: StoredLink, { event }: Head): DefinitionLink => ({
  coordinate: source.coordinate,
  ...target,
  eventId: source.eventId,
  headEventId: event.id,
  status: event.id === source.eventId ? "current" : "changed",
  linkedAt: source.linkedAt
})

/** A link beside all that was found; nothing was when the relay could not be asked. */
export const linkAmong = (link: StoredLink, found: Found | undefined): DefinitionLink => {
  const head = found?.heads.get(keyOf(link.source.coordinate))
  if (head !== undefined) return linkWith(link, head)
  const { source, ...target } = link
  return {
    coordinate: source.coordinate,
    ...target,
    eventId: source.eventId,
    headEventId: null,
    // A relay that was not read to the end may still have it.
    status: found === undefined || found.truncated ? "unavailable" : "missing",
    linkedAt: source.linkedAt
  }
}
