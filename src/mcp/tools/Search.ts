import { Effect, Schema } from "effect"
import { Client } from "../../client/Client.ts"
import { SearchApi } from "../../insight/search/Api.ts"
import { Collection, type SearchAnswer, SearchQuery } from "../../insight/search/Search.ts"
import { optional } from "../../kernel/Optional.ts"
import { integer, listOf } from "../../kernel/Text.ts"
import { boundedList, line } from "../Text.ts"
import { tool } from "../Tool.ts"

/** How many results there are when the call gives no limit. */
const pageSize = 10

export const search = tool({
  name: "search",
  kind: "reads",
  description: "Find tasks and documents by their text, best first. Without collections it looks everywhere.",
  input: Schema.Struct({
    query: SearchQuery.fields.query,
    collections: optional(listOf(Collection, Collection.literals.length)),
    limit: optional(integer(1, 50).annotations({ description: `${pageSize} when absent` }))
  }),
  run: ({ limit = pageSize, ...asked }) =>
    Effect.map(
      Effect.flatMap(Client, ({ call }) =>
        call(SearchApi, ({ search }) => search.search({ payload: { ...asked, limit } }))
      ),
      foundText
    )
})

const foundText = ({ backend, degraded, results }: SearchAnswer): string =>
  results.length === 0
    ? "Nothing found."
    : boundedList(
        [
          ...(degraded ? [`[searched by ${backend} alone]`] : []),
          ...results.map(
            ({ collection, id, snippet, title }) =>
              `${id} (${collection}) ${line(title, 160)}: ${line(snippet, 300)}`
          )
        ],
        "call again with a smaller limit"
      )
