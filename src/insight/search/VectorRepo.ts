import { Effect } from "effect"
import { type Compose, firstRow, rows, run, type Sql, sql } from "../../storage/Sql.ts"
import type { Collection } from "./Search.ts"

/** A text that waits to be embedded. */
export interface Waiting {
  readonly row: number
  readonly hash: string
  readonly text: string
}

const waits = (sql: Compose, model: string) =>
  sql`NOT EXISTS (
    SELECT 1 FROM search_vectors v WHERE v.row = d.row AND v.model = ${model} AND v.hash = d.hash)`

/** The next texts after a row that a model has not embedded as they are now. */
export const waiting = (
  model: string,
  row: number,
  limit: number,
  textLimit: number
): Effect.Effect<ReadonlyArray<Waiting>, never, Sql> =>
  rows<Waiting>(
    (sql) => sql`
      SELECT d.row, d.hash, substr(d.title || char(10) || d.text, 1, ${textLimit}) AS text
      FROM search_documents d WHERE d.row > ${row} AND ${waits(sql, model)} ORDER BY d.row LIMIT ${limit}`
  )

/** How many texts a model has not embedded as they are now. */
export const countWaiting = (model: string): Effect.Effect<number, never, Sql> =>
  Effect.map(
    firstRow<{ n: number }>(
      (sql) => sql`SELECT COUNT(*) AS n FROM search_documents d WHERE ${waits(sql, model)}`
    ),
    (found) => found?.n ?? 0
  )

/** Keeps the meaning of a text. */
export const put = (
  { hash, row }: Waiting,
  model: string,
  vector: Float32Array
): Effect.Effect<void, never, Sql> => {
  const bytes = new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength)
  return run(
    sql`
      INSERT INTO search_vectors (row, model, hash, vector) VALUES (${row}, ${model}, ${hash}, ${bytes})
      ON CONFLICT (row) DO UPDATE SET model = excluded.model, hash = excluded.hash, vector = excluded.vector`
  )
}

/** The meaning of a document. */
export interface Meaning {
  readonly row: number
  readonly vector: Uint8Array
}

/** The next meanings after a row, of texts that are still as they were, in some collections or in all. */
export const after = (
  row: number,
  model: string,
  collections: ReadonlyArray<Collection>,
  limit: number
): Effect.Effect<ReadonlyArray<Meaning>, never, Sql> =>
  rows<Meaning>(
    (sql) => sql`
      SELECT v.row, v.vector FROM search_vectors v JOIN search_documents d ON d.row = v.row AND d.hash = v.hash
      WHERE v.row > ${row} AND v.model = ${model}
        AND ${collections.length === 0 ? sql`TRUE` : sql`d.collection IN ${sql.in(collections)}`}
      ORDER BY v.row LIMIT ${limit}`
  )
