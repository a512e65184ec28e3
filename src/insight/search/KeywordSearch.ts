import { Effect } from "effect"
import type { StorageService } from "../../storage/Storage.ts"
import { phraseOf } from "./Blocks.ts"
import type { Collection, SearchResult } from "./Search.ts"
import * as SearchRepo from "./SearchRepo.ts"
import { showMatches } from "./ShowMatches.ts"
import { type Asked, askedOf } from "./Terms.ts"

/** How many documents that match are ranked at least, from the newest; ranking more would hold up other searches. */
export const rankedLimit = 5_000

/** What a document must have: all terms, all of them with the last one as a beginning, or any of them. */
type Kind = "all" | "begun" | "any"

/** The phrases of a question to a block, and how they are joined. */
const phrasesOf = ({ begun, terms }: Asked, kind: Kind, block: number): ReadonlyArray<string> =>
  terms.map((term) =>
    kind !== "all" && term === begun ? `${phraseOf(block, term)} *` : phraseOf(block, term)
  )

/** How much FTS5 makes of a term that so many of all documents have. */
const weightOf = (all: number, having: number): number =>
  Math.max(1e-6, Math.log((all - having + 0.5) / (having + 0.5)))

/**
 * The best matches in one block. What is rare in one block may be frequent in another one, so a score is told as a share
 * of the best that a document can have there: the scores of blocks can be compared.
 */
const rankBlock = (asked: Asked, kind: Kind, { block }: SearchRepo.Block, weighed: number, limit: number) =>
  Effect.gen(function* () {
    const phrases = phrasesOf(asked, kind, block)
    const counts = yield* SearchRepo.counts(phrases)
    const possible = kind === "any" ? counts.some((count) => count > 0) : counts.every((count) => count > 0)
    if (!possible) return []
    const best = counts.reduce((sum, count) => sum + weightOf(weighed, count), 0)
    const found = yield* SearchRepo.matches(phrases.join(kind === "any" ? " OR " : " AND "), limit)
    return found.map((match) => ({ ...match, score: match.score / best }))
  })

const better = (one: SearchRepo.Match, other: SearchRepo.Match): number =>
  other.score - one.score || other.row - one.row

/** The best matches of all blocks, from the newest one on until enough documents are ranked: one block at a time. */
const rank = (
  storage: StorageService,
  blocks: ReadonlyArray<SearchRepo.Block>,
  asked: Asked,
  kind: Kind,
  limit: number
): Effect.Effect<ReadonlyArray<SearchRepo.Match>> =>
  Effect.gen(function* () {
    const weighed = yield* storage.read(SearchRepo.weighed)
    const best = new Map<number, SearchRepo.Match>()
    let ranked = 0
    for (const block of blocks) {
      if (ranked >= rankedLimit) break
      const found = yield* storage.slice(rankBlock(asked, kind, block, weighed, limit))
      ranked += found[0]?.matched ?? 0
      for (const match of found) best.set(match.row, match)
    }
    return [...best.values()].sort(better).slice(0, limit)
  })

/** The matches of a better question before those of another one, which can't have a higher score than any of them. */
const before = (
  best: ReadonlyArray<SearchRepo.Match>,
  others: ReadonlyArray<SearchRepo.Match>
): ReadonlyArray<SearchRepo.Match> => {
  const known = new Set(best.map(({ row }) => row))
  const most = best.at(-1)?.score ?? Number.POSITIVE_INFINITY
  return [
    ...best,
    ...others
      .filter(({ row }) => !known.has(row))
      .map((match) => ({ ...match, score: Math.min(match.score, most) }))
  ]
}

/**
 * Finds by words: the documents that have all of them, then those in which the last one begins a word; when there are
 * none, those that have any.
 */
export const searchByWords = (
  storage: StorageService,
  question: {
    readonly query: string
    readonly limit: number
    readonly collections: ReadonlyArray<Collection>
  }
): Effect.Effect<ReadonlyArray<SearchResult>> =>
  Effect.gen(function* () {
    const { collections, limit, query } = question
    const asked = askedOf(query)
    if (asked === undefined) return []
    const blocks = (yield* storage.read(SearchRepo.blocks)).filter(
      ({ collection }) => collections.length === 0 || collections.includes(collection)
    )
    const ranked = (kind: Kind) => rank(storage, blocks, asked, kind, limit)
    const all = yield* ranked("all")
    const begun = all.length === limit || asked.begun === undefined ? [] : yield* ranked("begun")
    const found = before(all, begun).slice(0, limit)
    return yield* showMatches(storage, found.length > 0 ? found : yield* ranked("any"), asked)
  })
