import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { Duration, Effect, Option, Schema } from "effect"
import { Client } from "../../../client/Client.ts"
import { SearchApi } from "../../../insight/search/Api.ts"
import { Collection, type Refreshed, type SearchAnswer } from "../../../insight/search/Search.ts"
import { oneLine } from "../../../kernel/Foreign.ts"
import { ask } from "../../Answer.ts"
import { json, limitUpTo, optionOf, words } from "../../Parts.ts"
import type { Paint } from "../../text/Paint.ts"

/*
 * The commands of somebody who looks for something, and of somebody who wants it to be found.
 */

const collection = Options.text("collection").pipe(
  Options.withPseudoName("NAME"),
  Options.withDescription(
    `Only this collection: ${Collection.literals.join(", ")}; may be repeated, all without it`
  ),
  Options.repeated,
  optionOf("--collection", Schema.mutable(Schema.Array(Collection)))
)

const limit = limitUpTo(100, "At most this many results, 1 to 100; 20 without it").pipe(Options.optional)

const found = words("WORDS", "What to look for; several words need no quotes")

/** The results, best first: what each is and where it matches. */
const resultsText = ({ degraded, results }: SearchAnswer, paint: Paint): string => {
  const lines = results.flatMap(({ collection, id, snippet, title }) => {
    const archived = collection === "tasks-archive" ? paint.dim(" (archived)") : ""
    const part = oneLine(snippet)
    return [
      `${paint.bold(oneLine(id))} ${oneLine(title)}${archived}`,
      ...(part === "" || part === id ? [] : [paint.dim(`  ${part}`)])
    ]
  })
  return [
    ...(lines.length === 0 ? ["Nothing found."] : lines),
    ...(degraded ? [paint.yellow("Compared by words: a search by meaning can't be had now.")] : [])
  ].join("\n")
}

export const search = Command.make("search", { found, collection, limit, json }, (given) =>
  ask(
    given.json,
    Effect.gen(function* () {
      const { call } = yield* Client
      const answer = yield* call(SearchApi, ({ search }) =>
        search.search({
          payload: {
            query: given.found,
            collections: given.collection,
            ...(Option.isNone(given.limit) ? {} : { limit: given.limit.value })
          }
        })
      )
      return { json: answer, text: (paint) => resultsText(answer, paint) }
    })
  )
)

const embed = Options.boolean("embed").pipe(
  Options.withDescription("Embed new and changed texts as well, for searches by meaning")
)

/** How long a refresh with embeddings may take: its own twenty seconds, and the request that runs when they end. */
const patience = Duration.minutes(1)

const count = (n: number, one: string, many: string): string => `${n} ${n === 1 ? one : many}`

const refreshedText = ({ embedded, remaining, updated }: Refreshed, embeds: boolean): string =>
  [
    `${count(updated, "document", "documents")} updated.`,
    ...(embeds ? [`${count(embedded, "text", "texts")} embedded.`] : []),
    ...(remaining === 0
      ? []
      : [`${count(remaining, "text is", "texts are")} left: muster reindex --embed goes on.`])
  ].join(" ")

export const reindex = Command.make("reindex", { embed, json }, (given) =>
  ask(
    given.json,
    Effect.gen(function* () {
      const { call } = yield* Client
      const refreshed = yield* call(
        SearchApi,
        ({ search }) => search.refresh({ payload: { embed: given.embed } }),
        patience
      )
      return { json: refreshed, text: () => refreshedText(refreshed, given.embed) }
    })
  )
)
