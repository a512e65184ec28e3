import { Schema } from "effect"
import { Timestamp } from "../../kernel/Time.ts"

/** The kinds of events that are public definitions: of a persona, and of a team. */
export const personaKind = 30175
export const teamKind = 30176

/** Where a public definition is found: there is one for an author, a kind and a `d` tag. */
export const DefinitionCoordinate = Schema.Struct({
  authorPubkey: Schema.String.annotations({ description: "64 digits of hex" }),
  kind: Schema.Literal(personaKind, teamKind).annotations({
    description: "30175 is a persona, 30176 a team"
  }),
  dTag: Schema.String
}).annotations({ identifier: "DefinitionCoordinate" })
export type DefinitionCoordinate = typeof DefinitionCoordinate.Type

/** The definition that a profile, or a roster, is linked to, and the event that it was last brought in from. */
export const ImportSource = Schema.Struct({
  provider: Schema.Literal("relay"),
  adapterId: Schema.String,
  coordinate: DefinitionCoordinate,
  eventId: Schema.String,
  linkedAt: Timestamp
}).annotations({ identifier: "ImportSource" })
export type ImportSource = typeof ImportSource.Type

/** What the audit log says about a source: coordinates, none of its texts. */
export const AuditedSource = Schema.Struct({
  adapterId: Schema.String,
  ...DefinitionCoordinate.fields,
  eventId: Schema.String
})

export const auditOf = ({ adapterId, coordinate, eventId }: ImportSource): typeof AuditedSource.Type => ({
  adapterId,
  ...coordinate,
  eventId
})

/** What of a source stands in columns, so that what is linked to a definition is found by it. */
export const sourceColumns = (source: ImportSource | undefined) => ({
  source_adapter: source?.adapterId ?? null,
  source_author: source?.coordinate.authorPubkey ?? null,
  source_tag: source?.coordinate.dTag ?? null
})

/** True for two names of the same definition. */
export const isSame = (a: DefinitionCoordinate, b: DefinitionCoordinate): boolean =>
  a.authorPubkey === b.authorPubkey && a.kind === b.kind && a.dTag === b.dTag
