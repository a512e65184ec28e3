import { Schema } from "effect"
import { DefinitionCoordinate, personaKind } from "../../board/agent-profiles/ImportSource.ts"
import { iso, Timestamp } from "../../kernel/Time.ts"
import { Field, isRejected } from "../definition-documents/Field.ts"
import type { Found, Head } from "../definition-documents/Head.ts"
import { judge } from "../definition-documents/Judgement.ts"
import { limits } from "../definition-documents/Limits.ts"

export const DefinitionKind = Schema.Literal("persona", "team")
export type DefinitionKind = typeof DefinitionKind.Type

/** The current definition of a coordinate. One that may not be imported says which fields keep it out, and no value. */
export const ListedDefinition = Schema.Struct({
  coordinate: DefinitionCoordinate,
  kind: DefinitionKind,
  eventId: Schema.String,
  createdAt: Timestamp,
  name: Schema.NullOr(Schema.String),
  importable: Schema.Boolean,
  reasons: Schema.Array(Field)
}).annotations({ identifier: "ListedDefinition" })

/** What a relay has of definitions, newest first. */
export const DefinitionList = Schema.Struct({
  definitions: Schema.Array(ListedDefinition),
  rejectedCount: Schema.Int.annotations({
    description: "Events that are no definitions, or whose signature does not hold"
  }),
  truncated: Schema.Boolean.annotations({
    description: "True when the relay may have more than `limit` events, or more than it gives"
  }),
  limit: Schema.Int.annotations({ description: "How many events are read at the most" })
}).annotations({ identifier: "DefinitionList" })
export type DefinitionList = typeof DefinitionList.Type

export const kindOf = ({ coordinate }: Head): DefinitionKind =>
  coordinate.kind === personaKind ? "persona" : "team"

/** When an event was made, as a wire timestamp. */
export const createdAtOf = ({ event }: Head): string => iso(event.created_at * 1_000)

/** The list of what was found. */
export const listOf = ({ heads, rejectedCount, truncated }: Found): DefinitionList => ({
  definitions: [...heads.values()]
    .toSorted((a, b) => b.event.created_at - a.event.created_at || (a.event.id < b.event.id ? -1 : 1))
    .map((head) => {
      const { definition, fields } = judge(head)
      return {
        coordinate: head.coordinate,
        kind: kindOf(head),
        eventId: head.event.id,
        createdAt: createdAtOf(head),
        name: definition?.content.name ?? null,
        importable: definition !== undefined,
        reasons: fields.filter(isRejected)
      }
    }),
  rejectedCount,
  truncated,
  limit: limits.events
})
