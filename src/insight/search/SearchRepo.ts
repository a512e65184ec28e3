import { Effect } from "effect"
import { firstRow, rows, run, type Sql, sql } from "../../storage/Sql.ts"
import { inBlock, roomy } from "./Blocks.ts"
import type { Collection } from "./Search.ts"
import { hashOf, type SearchDocument } from "./SearchDocument.ts"
import { termsOf } from "./Terms.ts"

/** Where a document lies in the index: the block, and how many terms it has there. */
interface Place {
  readonly block: number
  readonly terms: number
}

interface StoredDocument {
  readonly row: number
  readonly collection: Collection
  readonly hash: string
  readonly block: number | null
  readonly terms: number | null
}

const find = (key: string): Effect.Effect<StoredDocument | undefined, never, Sql> =>
  firstRow<StoredDocument>(
    sql`SELECT row, collection, hash, block, terms FROM search_documents WHERE key = ${key}`
  )

/** A part of the index: documents of one collection that were written about the same time. */
export interface Block {
  readonly block: number
  readonly collection: Collection
  readonly documents: number
  readonly terms: number
}

/** Where a document with this many terms goes: where it was, into the newest block, or into a new one. */
const settle = (
  collection: Collection,
  terms: number,
  before: number | null
): Effect.Effect<number, never, Sql> =>
  Effect.gen(function* () {
    const candidates = yield* rows<Block>(
      sql`
        SELECT block, collection, documents, terms FROM search_blocks
        WHERE collection = ${collection} AND
          block IN (${before}, (SELECT MAX(block) FROM search_blocks WHERE collection = ${collection}))
        ORDER BY block`
    )
    const found = candidates.find((block) => roomy(block, terms))
    if (found !== undefined) return found.block
    const made = yield* firstRow<{ block: number }>(
      sql`
        INSERT INTO search_blocks (collection, documents, terms) VALUES (${collection}, 0, 0) RETURNING block`
    )
    return made?.block ?? 0
  })

const forgetWords = (row: number, { block, terms }: Place): Effect.Effect<void, never, Sql> =>
  Effect.gen(function* () {
    yield* run(sql`DELETE FROM search_words WHERE rowid = ${row}`)
    yield* run(
      sql`
        UPDATE search_blocks SET documents = documents - 1, terms = terms - ${terms} WHERE block = ${block}`
    )
  })

/** Takes the words of a document into the index; `before` is the block that it was in. */
const learnWords = (
  row: number,
  { collection, text, title }: Pick<SearchDocument, "collection" | "text" | "title">,
  before: number | null
): Effect.Effect<void, never, Sql> =>
  Effect.gen(function* () {
    const inTitle = termsOf(title)
    const inText = termsOf(text)
    const terms = inTitle.length + inText.length
    const block = yield* settle(collection, terms, before)
    yield* run(
      sql`
        INSERT INTO search_words (rowid, title, text)
        VALUES (${row}, ${inBlock(block, inTitle)}, ${inBlock(block, inText)})`
    )
    yield* run(sql`UPDATE search_documents SET block = ${block}, terms = ${terms} WHERE row = ${row}`)
    yield* run(
      sql`
        UPDATE search_blocks SET documents = documents + 1, terms = terms + ${terms} WHERE block = ${block}`
    )
  })

const placeOf = ({ block, terms }: StoredDocument): Place | undefined =>
  block === null ? undefined : { block, terms: terms ?? 0 }

/** Writes a document; true when it was new or has changed. */
export const put = (document: SearchDocument): Effect.Effect<boolean, never, Sql> =>
  Effect.gen(function* () {
    const { collection, id, key, path, text, title } = document
    const hash = hashOf(document)
    const before = yield* find(key)
    if (before === undefined) {
      const made = yield* firstRow<{ row: number }>(
        sql`
          INSERT INTO search_documents (key, id, collection, path, title, text, hash)
          VALUES (${key}, ${id}, ${collection}, ${path}, ${title}, ${text}, ${hash}) RETURNING row`
      )
      if (made !== undefined) yield* learnWords(made.row, document, null)
      return true
    }
    const place = placeOf(before)
    if (before.hash === hash && before.collection === collection && place !== undefined) return false
    if (place !== undefined) yield* forgetWords(before.row, place)
    yield* run(
      sql`
        UPDATE search_documents SET id = ${id}, collection = ${collection}, path = ${path}, title = ${title},
          text = ${text}, hash = ${hash}
        WHERE row = ${before.row}`
    )
    yield* learnWords(before.row, document, before.block)
    return true
  })

/** Removes a document with its words and its vector; true when there was one. */
export const remove = (key: string): Effect.Effect<boolean, never, Sql> =>
  Effect.gen(function* () {
    const before = yield* find(key)
    if (before === undefined) return false
    const place = placeOf(before)
    if (place !== undefined) yield* forgetWords(before.row, place)
    yield* run(sql`DELETE FROM search_documents WHERE row = ${before.row}`)
    yield* run(sql`DELETE FROM search_vectors WHERE row = ${before.row}`)
    return true
  })

/**
 * Takes the oldest document into the index that is not in it: those of a board that was there before the index had this
 * form. False when there is none.
 */
export const learnNext: Effect.Effect<boolean, never, Sql> = Effect.gen(function* () {
  const next = yield* firstRow<{ row: number; collection: Collection; title: string; text: string }>(
    sql`
      SELECT row, collection, title, text FROM search_documents WHERE block IS NULL ORDER BY row LIMIT 1`
  )
  if (next === undefined) return false
  yield* learnWords(next.row, next, null)
  return true
})

/** The keys of a collection. */
export const keysOf = (collection: Collection): Effect.Effect<ReadonlyArray<string>, never, Sql> =>
  Effect.map(
    rows<{ key: string }>(sql`SELECT key FROM search_documents WHERE collection = ${collection}`),
    (found) => found.map(({ key }) => key)
  )

/** The blocks, the newest first. */
export const blocks: Effect.Effect<ReadonlyArray<Block>, never, Sql> = rows<Block>(
  sql`SELECT block, collection, documents, terms FROM search_blocks WHERE documents > 0 ORDER BY block DESC`
)

/**
 * How many documents FTS5 believes to hold: with them it weighs how rare a term is. It stands in front of the index's record
 * of averages, seven bits in a byte, and counts those that are gone too.
 */
export const weighed: Effect.Effect<number, never, Sql> = Effect.map(
  firstRow<{ averages: Uint8Array }>(sql`SELECT block AS averages FROM search_words_data WHERE id = 1`),
  (found) => {
    const bytes = found?.averages ?? new Uint8Array()
    const last = bytes.findIndex((byte) => byte < 128)
    return bytes.subarray(0, last + 1).reduce((sum, byte) => sum * 128 + (byte & 127), 0)
  }
)

/** How many documents hold each of these phrases, in their order. */
export const counts = (phrases: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<number>, never, Sql> =>
  Effect.map(
    rows<{ n: number }>(
      sql`
        SELECT (SELECT COUNT(*) FROM search_words WHERE search_words MATCH phrase.value) AS n
        FROM json_each(${JSON.stringify(phrases)}) phrase ORDER BY phrase.key`
    ),
    (found) => found.map(({ n }) => n)
  )

/** A document that matches: a higher score is better. `matched` is how many do in its block. */
export interface Match {
  readonly row: number
  readonly score: number
  readonly matched: number
}

/** The best matches of a query of the index; the newest of those that are as good. */
export const matches = (match: string, limit: number): Effect.Effect<ReadonlyArray<Match>, never, Sql> =>
  rows<Match>(
    sql`
      SELECT rowid AS row, -rank AS score, COUNT(*) OVER () AS matched
      FROM search_words WHERE search_words MATCH ${match} ORDER BY rank, rowid DESC LIMIT ${limit}`
  )

/** A document that was found, without its text. */
export interface Found {
  readonly row: number
  readonly id: string
  readonly collection: Collection
  readonly path: string
  readonly title: string
}

/** How much of a text comes with a document. */
export const headLimit = 4_000

/** Documents with the beginning of their text, and whether there is more of it. */
export const heads = (
  of: ReadonlyArray<number>
): Effect.Effect<ReadonlyArray<Found & { readonly head: string; readonly more: number }>, never, Sql> =>
  rows(
    sql`
      SELECT d.row, d.id, d.collection, d.path, d.title, substr(d.text, 1, ${headLimit}) AS head,
        length(d.text) > ${headLimit} AS more
      FROM search_documents d WHERE d.row IN (SELECT value FROM json_each(${JSON.stringify(of)}))`
  )

/** The whole text of a document; empty when it is gone. */
export const textOf = (row: number): Effect.Effect<string, never, Sql> =>
  Effect.map(
    firstRow<{ text: string }>(sql`SELECT text FROM search_documents WHERE row = ${row}`),
    (found) => found?.text ?? ""
  )

/** Documents with the beginning of their text. */
export const beginnings = (
  of: ReadonlyArray<number>
): Effect.Effect<ReadonlyArray<Found & { readonly snippet: string }>, never, Sql> =>
  rows(
    sql`
      SELECT d.row, d.id, d.collection, d.path, d.title, substr(d.text, 1, 240) AS snippet
      FROM search_documents d WHERE d.row IN (SELECT value FROM json_each(${JSON.stringify(of)}))`
  )
