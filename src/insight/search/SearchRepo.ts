import { Effect } from "effect"
import { firstRow, rows, run, type Sql, sql } from "../../storage/Sql.ts"
import type { Collection } from "./Search.ts"
import { hashOf, type SearchDocument } from "./SearchDocument.ts"
import { placeOf } from "./Words.ts"

interface StoredDocument extends SearchDocument {
  readonly row: number
  readonly hash: string
}

const find = (key: string): Effect.Effect<StoredDocument | undefined, never, Sql> =>
  firstRow<StoredDocument>(
    sql`SELECT row, key, id, collection, path, title, text, hash FROM search_documents WHERE key = ${key}`
  )

const forgetWords = ({ collection, row, text, title }: StoredDocument): Effect.Effect<void, never, Sql> =>
  run(
    sql`
      INSERT INTO search_words (search_words, rowid, title, text, place)
      VALUES ('delete', ${row}, ${title}, ${text}, ${placeOf(collection)})`
  )

const learnWords = (row: number, { collection, text, title }: SearchDocument) =>
  run(
    sql`
      INSERT INTO search_words (rowid, title, text, place)
      VALUES (${row}, ${title}, ${text}, ${placeOf(collection)})`
  )

/** Writes a document; true when it was new or has changed. */
export const put = (document: SearchDocument): Effect.Effect<boolean, never, Sql> =>
  Effect.gen(function* () {
    const { collection, id, key, path, text, title } = document
    const hash = hashOf(document)
    const before = yield* find(key)
    if (before?.hash === hash && before.collection === collection) return false
    if (before !== undefined) {
      yield* forgetWords(before)
      yield* run(
        sql`
          UPDATE search_documents SET id = ${id}, collection = ${collection}, path = ${path}, title = ${title},
            text = ${text}, hash = ${hash}
          WHERE row = ${before.row}`
      )
      yield* learnWords(before.row, document)
      return true
    }
    const made = yield* firstRow<{ row: number }>(
      sql`
        INSERT INTO search_documents (key, id, collection, path, title, text, hash)
        VALUES (${key}, ${id}, ${collection}, ${path}, ${title}, ${text}, ${hash}) RETURNING row`
    )
    if (made !== undefined) yield* learnWords(made.row, document)
    return true
  })

/** Removes a document with its words and its vector; true when there was one. */
export const remove = (key: string): Effect.Effect<boolean, never, Sql> =>
  Effect.gen(function* () {
    const before = yield* find(key)
    if (before === undefined) return false
    yield* forgetWords(before)
    yield* run(sql`DELETE FROM search_documents WHERE row = ${before.row}`)
    yield* run(sql`DELETE FROM search_vectors WHERE row = ${before.row}`)
    return true
  })

/** The keys of a collection. */
export const keysOf = (collection: Collection): Effect.Effect<ReadonlyArray<string>, never, Sql> =>
  Effect.map(
    rows<{ key: string }>(sql`SELECT key FROM search_documents WHERE collection = ${collection}`),
    (found) => found.map(({ key }) => key)
  )

/** A document without its text. */
export type Found = Omit<StoredDocument, "key" | "text" | "hash"> & { readonly snippet: string }

/** A document that matches: a higher score is better. */
export interface Match extends Omit<Found, "row"> {
  readonly score: number
}

/** How many documents that match are ranked: the newest. Ranking more of them would hold up everybody else. */
export const rankedLimit = 5_000

/**
 * The best matches of a query of the index, each with the part of its text that matches. In one statement: the index
 * ranks first, and cuts the parts out of those alone that are left.
 */
export const matches = (match: string, limit: number): Effect.Effect<ReadonlyArray<Match>, never, Sql> =>
  rows<Match>(
    sql`
      SELECT d.id, d.collection, d.path, d.title, snippet(search_words, 1, '', '', '…', 32) AS snippet,
        -search_words.rank AS score
      FROM search_words JOIN search_documents d ON d.row = search_words.rowid
      WHERE search_words MATCH ${match} AND search_words.rowid >= COALESCE((
        SELECT rowid FROM search_words WHERE search_words MATCH ${match}
        ORDER BY rowid DESC LIMIT 1 OFFSET ${rankedLimit - 1}), 0)
      ORDER BY search_words.rank LIMIT ${limit}`
  )

/** Documents with the beginning of their text. */
export const beginnings = (of: ReadonlyArray<number>): Effect.Effect<ReadonlyArray<Found>, never, Sql> =>
  of.length === 0
    ? Effect.succeed([])
    : rows<Found>(
        (sql) => sql`
          SELECT d.row, d.id, d.collection, d.path, d.title, substr(d.text, 1, 240) AS snippet
          FROM search_documents d
          WHERE d.row IN ${sql.in(of)}`
      )
