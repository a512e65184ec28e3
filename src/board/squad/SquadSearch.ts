import { Schema } from "effect"
import { soughtFor } from "../../kernel/Incoming.ts"
import { integerText, nonBlank } from "../../kernel/Text.ts"
import { Timestamp } from "../../kernel/Time.ts"
import { fold } from "./Fold.ts"

/** The longest snippet, in UTF-16 units, its ellipses included. */
const snippetLimit = 200

/** How many messages a search finds when it does not say. */
export const searchLimit = 20

/** The query of a search: text that must stand in the message, or in the name of its author, as it is. */
export const SquadQuery = Schema.Struct({
  q: nonBlank(100, soughtFor),
  limit: Schema.optional(integerText(1, 100).annotations({ description: `${searchLimit} unless told` }))
})
export type SquadQuery = typeof SquadQuery.Type

/** A message that was found: what stands around the match, never more. */
export const SquadFound = Schema.Struct({
  id: Schema.String,
  agent: Schema.String,
  snippet: Schema.String,
  createdAt: Timestamp,
  taskId: Schema.optionalWith(Schema.String, { exact: true })
}).annotations({ identifier: "SquadFound" })
export type SquadFound = typeof SquadFound.Type

/** What a search looks through: the author and the text, without the difference of capital and small letters. */
export const searchText = (agent: string, message: string): string => fold(`${agent}\n${message}`)

/** At most 200 characters of a message: those around the first match, or the first ones when it is the author's. */
export const snippetOf = (message: string, query: string): string => {
  if (message.length <= snippetLimit) return message
  const room = snippetLimit - 2
  const match = Math.max(0, fold(message).indexOf(fold(query)))
  const lead = Math.floor((room - query.length) / 2)
  const start = Math.max(0, Math.min(match - lead, message.length - room))
  const end = start + room
  const piece = message.slice(start, end).replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, "")
  return `${start > 0 ? "…" : ""}${piece}${end < message.length ? "…" : ""}`
}
