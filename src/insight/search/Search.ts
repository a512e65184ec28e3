import { Schema } from "effect"
import { soughtFor } from "../../kernel/Incoming.ts"
import { optional } from "../../kernel/Optional.ts"
import { everyIssue, integer, listOf, nonBlank } from "../../kernel/Text.ts"

/** Where can be searched: the tasks of the board, the archived ones, and documents. */
export const Collection = Schema.Literal("tasks-active", "tasks-archive", "docs").annotations({
  identifier: "SearchCollection"
})
export type Collection = typeof Collection.Type

/** How is searched: by words, by meaning, or as the operator has chosen. */
export const Backend = Schema.Literal("keyword", "semantic", "auto").annotations({
  identifier: "SearchBackend"
})

/** The body of a search. */
export const SearchQuery = Schema.Struct({
  query: nonBlank(500, soughtFor),
  limit: optional(integer(1, 100)),
  collections: optional(listOf(Collection, 10)),
  backend: optional(Backend)
}).annotations({ identifier: "SearchQuery", ...everyIssue })
export type SearchQuery = typeof SearchQuery.Type

/** Something that was found. A higher score is a better match; scores of the two backends can't be compared. */
export const SearchResult = Schema.Struct({
  id: Schema.String,
  title: Schema.String,
  path: Schema.String,
  collection: Collection,
  snippet: Schema.String,
  score: Schema.Number
}).annotations({ identifier: "SearchResult" })
export type SearchResult = typeof SearchResult.Type

/** What was found, best first. */
export const SearchAnswer = Schema.Struct({
  query: Schema.String,
  backend: Schema.Literal("keyword", "semantic").annotations({ description: "The one that answered" }),
  degraded: Schema.Boolean.annotations({
    description: "True when a search by meaning was wanted and could not be had"
  }),
  elapsedMs: Schema.Number,
  results: Schema.Array(SearchResult)
}).annotations({ identifier: "SearchAnswer" })
export type SearchAnswer = typeof SearchAnswer.Type

/** The body of a refresh. */
export const Refresh = Schema.Struct({ embed: optional(Schema.Boolean) }).annotations({
  identifier: "SearchRefresh",
  ...everyIssue
})
export type Refresh = typeof Refresh.Type

/** What a refresh did. */
export const Refreshed = Schema.Struct({
  backend: Schema.Literal("keyword", "semantic"),
  updated: Schema.Int.annotations({ description: "Documents that were new, had changed, or were gone" }),
  embedded: Schema.Int,
  remaining: Schema.Int.annotations({ description: "Texts that are not embedded yet" }),
  elapsedMs: Schema.Number,
  commands: Schema.Array(Schema.String).annotations({ description: "What one may run next" })
}).annotations({ identifier: "SearchRefreshed" })
export type Refreshed = typeof Refreshed.Type
