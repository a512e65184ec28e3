import { Effect } from "effect"
import { redactText } from "../../kernel/Redaction.ts"
import type { StorageService } from "../../storage/Storage.ts"
import { type EmbeddingsService, EmbeddingsUnavailable } from "./Embeddings.ts"
import { type Near, nearest } from "./Nearest.ts"
import type { Collection, SearchResult } from "./Search.ts"
import * as SearchRepo from "./SearchRepo.ts"
import * as VectorRepo from "./VectorRepo.ts"

/** How many numbers are compared before others get their turn: some milliseconds, however long a vector is. */
const numbersLimit = 500_000

/** How long a search waits for the meaning of its query; then words must do. */
const timeoutMs = 3_000

/**
 * Finds by meaning: the query is embedded, and everything that is embedded is compared with it, page by page. It fails
 * when the query can't be embedded, or when nothing is.
 */
export const searchByMeaning = (
  storage: StorageService,
  embeddings: EmbeddingsService,
  asked: {
    readonly query: string
    readonly limit: number
    readonly collections: ReadonlyArray<Collection>
  }
): Effect.Effect<ReadonlyArray<SearchResult>, EmbeddingsUnavailable> =>
  Effect.gen(function* () {
    const { collections, limit, query } = asked
    const [vector] = yield* embeddings.embed([redactText(query)], timeoutMs)
    const { model } = embeddings
    if (vector === undefined || model === undefined) {
      return yield* new EmbeddingsUnavailable({ reason: "the query has no vector" })
    }
    const pageSize = Math.ceil(numbersLimit / vector.length)
    let best: ReadonlyArray<Near> = []
    let cursor = 0
    for (;;) {
      const [page, nearer] = yield* storage.slice(
        Effect.map(
          VectorRepo.after(cursor, model, collections, pageSize),
          (found) => [found, nearest(best, found, vector, limit)] as const
        )
      )
      best = nearer
      const last = page.at(-1)
      if (last === undefined || page.length < pageSize) break
      cursor = last.row
    }
    if (best.length === 0) return yield* new EmbeddingsUnavailable({ reason: "nothing is embedded yet" })
    const documents = yield* storage.read(SearchRepo.beginnings(best.map(({ row }) => row)))
    const known = new Map(documents.map((document) => [document.row, document]))
    return best.flatMap(({ row, score }) => {
      const found = known.get(row)
      if (found === undefined) return []
      const { row: _, ...document } = found
      return [{ ...document, score }]
    })
  })
