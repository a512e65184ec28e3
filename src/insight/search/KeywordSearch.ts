import { Effect } from "effect"
import type { Sql } from "../../storage/Sql.ts"
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

/** The weight that FTS5 gives to a term, by how many of all documents have it. */
const weightOf = (all: number, having: number): number =>
  Math.max(1e-6, Math.log((all - having + 0.5) / (having + 0.5)))

/**
 * The best matches in one block. What is rare in one block may be frequent in another, so a score is a share of the
 * best that a document can have in its block: that makes the scores of blocks comparable.
 */
const rankBlock = (asked: Asked, kind: Kind, block: number, weighed: number, limit: number) =>
  Effect.gen(function* () {
    const phrases = phrasesOf(asked, kind, block)
    const found = yield* SearchRepo.matches(phrases.join(kind === "any" ? " OR " : " AND "), limit)
    const matched = found[0]?.matched ?? 0
    if (matched === 0) return found
    const counts = phrases.length === 1 ? [matched] : yield* SearchRepo.counts(phrases)
    const best = counts.reduce((sum, count) => sum + weightOf(weighed, count), 0)
    return found.map((match) => ({ ...match, score: match.score / best }))
  })

/** How much one slice does: a document that is ranked costs as much as it may have phrases, a block as much as a hundred. */
const workLimit = 8_192
const blockWork = 100

/** How far a question has come. */
interface Ranking {
  readonly best: ReadonlyMap<number, SearchRepo.Match>
  /** How many documents are ranked, and how many blocks they lie in. */
  readonly ranked: number
  readonly blocks: number
}

/** Goes on from block to block until enough documents are ranked, or until the slice has done its work. */
const rankSome = (
  { best, blocks: done, ranked }: Ranking,
  blocks: ReadonlyArray<SearchRepo.Block>,
  asked: Asked,
  kind: Kind,
  limit: number
): Effect.Effect<Ranking, never, Sql> =>
  Effect.gen(function* () {
    const weighed = yield* SearchRepo.weighed
    const known = new Map(best)
    let all = ranked
    let at = done
    for (let work = 0; work < workLimit && all < rankedLimit && at < blocks.length; at += 1) {
      const found = yield* rankBlock(asked, kind, blocks[at]?.block ?? 0, weighed, limit)
      const matched = found[0]?.matched ?? 0
      for (const match of found) known.set(match.row, match)
      all += matched
      work += blockWork + matched * asked.terms.length
    }
    return { best: known, ranked: all, blocks: at }
  })

const better = (one: SearchRepo.Match, other: SearchRepo.Match): number =>
  other.score - one.score || other.row - one.row

/** The best matches of all blocks, from the newest one on until enough documents are ranked. */
const rank = (
  storage: StorageService,
  blocks: ReadonlyArray<SearchRepo.Block>,
  asked: Asked,
  kind: Kind,
  limit: number
): Effect.Effect<ReadonlyArray<SearchRepo.Match>> =>
  Effect.gen(function* () {
    let ranking: Ranking = { best: new Map(), ranked: 0, blocks: 0 }
    while (ranking.blocks < blocks.length && ranking.ranked < rankedLimit) {
      ranking = yield* storage.slice(rankSome(ranking, blocks, asked, kind, limit))
    }
    return [...ranking.best.values()].sort(better).slice(0, limit)
  })

/** The matches of a stricter question before those of a looser one, none of which may score higher. */
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
