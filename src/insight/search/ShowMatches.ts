import { Effect } from "effect"
import type { StorageService } from "../../storage/Storage.ts"
import type { SearchResult } from "./Search.ts"
import * as SearchRepo from "./SearchRepo.ts"
import { beginningOf, snippetOf } from "./Snippet.ts"
import type { Asked } from "./Terms.ts"

/** How many documents are shown before others get their turn. */
const sliceSize = 5

/** How many long texts one search looks through for a match that does not stand at their beginning. */
const longLimit = 10

const showSlice = (of: ReadonlyArray<SearchRepo.Match>, asked: Asked) =>
  Effect.map(SearchRepo.heads(of.map(({ row }) => row)), (found) =>
    found.map(({ head, more, ...document }) => ({
      ...document,
      more: more === 1,
      snippet: snippetOf(head, asked),
      beginning: beginningOf(head)
    }))
  )

/**
 * Matches as they are answered, each with the part of its text that matches. In a long text it may stand anywhere: the first
 * ten long ones are looked through to their end, of others the beginning is shown.
 */
export const showMatches = (
  storage: StorageService,
  matches: ReadonlyArray<SearchRepo.Match>,
  asked: Asked
): Effect.Effect<ReadonlyArray<SearchResult>> =>
  Effect.gen(function* () {
    const results: Array<SearchResult> = []
    let long = 0
    for (let from = 0; from < matches.length; from += sliceSize) {
      const slice = matches.slice(from, from + sliceSize)
      const shown = yield* storage.slice(showSlice(slice, asked))
      const known = new Map(shown.map((document) => [document.row, document]))
      for (const { row, score } of slice) {
        const found = known.get(row)
        if (found === undefined) continue
        const { beginning, collection, id, more, path, title } = found
        let { snippet } = found
        if (snippet === undefined && more && long < longLimit) {
          long += 1
          snippet = yield* storage.slice(Effect.map(SearchRepo.textOf(row), (text) => snippetOf(text, asked)))
        }
        results.push({ id, title, path, collection, snippet: snippet ?? beginning, score })
      }
    }
    return results
  })
