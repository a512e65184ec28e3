import { Effect } from "effect"
import type { Sql } from "../../storage/Sql.ts"
import type { Collection, SearchResult } from "./Search.ts"
import * as SearchRepo from "./SearchRepo.ts"
import { matchesOf } from "./Words.ts"

const keyOf = ({ collection, id }: SearchResult): string => `${collection} ${id}`

/** The results of a better query before those of another one, which can't have a higher score than any of them. */
const before = (
  better: ReadonlyArray<SearchResult>,
  others: ReadonlyArray<SearchResult>
): ReadonlyArray<SearchResult> => {
  const known = new Set(better.map(keyOf))
  const most = better.at(-1)?.score ?? Number.POSITIVE_INFINITY
  return [
    ...better,
    ...others
      .filter((result) => !known.has(keyOf(result)))
      .map((result) => ({ ...result, score: Math.min(result.score, most) }))
  ]
}

/**
 * Finds by words: the documents that have all of them, then those in which the last one begins a word; when there are
 * none, those that have any.
 */
export const searchByWords = (asked: {
  readonly query: string
  readonly limit: number
  readonly collections: ReadonlyArray<Collection>
}): Effect.Effect<ReadonlyArray<SearchResult>, never, Sql> =>
  Effect.gen(function* () {
    const { collections, limit, query } = asked
    const matches = matchesOf(query, collections)
    if (matches === undefined) return []
    const all = yield* SearchRepo.matches(matches.all, limit)
    if (all.length === limit) return all
    const begun = matches.begun === undefined ? [] : yield* SearchRepo.matches(matches.begun, limit)
    const found = before(all, begun).slice(0, limit)
    return found.length > 0 ? found : yield* SearchRepo.matches(matches.any, limit)
  })
