import { Effect, Schema } from "effect"
import { Client } from "../../cli/Client.ts"
import { type Failure, Refused } from "../../cli/Failure.ts"
import { integer, listOf, nonBlank } from "../../kernel/Text.ts"
import { boundedList, line } from "../Text.ts"
import { optional, tool } from "../Tool.ts"

/** Where to look (spec 1-core, Search). */
const Collection = Schema.Literal("tasks-active", "tasks-archive", "docs")

/** The answer of a search, as far as the tool tells it. */
const Found = Schema.Struct({
  backend: Schema.String,
  degraded: Schema.Boolean,
  results: Schema.Array(
    Schema.Struct({
      id: Schema.String,
      title: Schema.String,
      collection: Schema.String,
      snippet: Schema.String
    })
  )
})

/** How many results there are when the call does not say. */
const pageSize = 10

export const search = tool({
  name: "search",
  kind: "reads",
  description: "Find tasks and documents by their text, best first. Without collections it looks everywhere.",
  input: Schema.Struct({
    query: nonBlank(500),
    collections: optional(listOf(Collection, Collection.literals.length)),
    limit: optional(integer(1, 50).annotations({ description: `${pageSize} when absent` }))
  }),
  run: ({ limit = pageSize, ...asked }) =>
    Effect.flatMap(Client, ({ post }) => post("/api/search", { ...asked, limit }, Found)).pipe(
      Effect.mapError(withoutSearch),
      Effect.map(foundText)
    )
})

/** A server of another version may have no search: then its answer is about the route, and says nothing to a model. */
const withoutSearch = (failure: Failure): Failure =>
  failure instanceof Refused && failure.status === 404
    ? new Refused({
        status: 404,
        code: "NO_SEARCH",
        reason: "This board has no search. Look with list_tasks instead.",
        details: {},
        body: failure.body
      })
    : failure

const foundText = ({ backend, degraded, results }: typeof Found.Type): string =>
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
