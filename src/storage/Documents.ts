import type { Fragment } from "@effect/sql/Statement"
import { Effect, type Schema } from "effect"
import { columnReader } from "./JsonColumn.ts"
import { type Compose, firstRow, rows, run, type Sql } from "./Sql.ts"

/** A resource that is stored as one JSON document, under its id. */
export interface Document {
  readonly id: string
  readonly revision: number
}

/** What of a document stands in columns too, to be found by. */
type Columns = Readonly<Record<string, string | number | null>>

/** How documents of one kind are read and written. */
export interface Documents<A extends Document> {
  /** Those that the rest of a statement chooses: `WHERE`, `ORDER BY`, `LIMIT`. */
  readonly select: (tail: (sql: Compose) => Fragment) => Effect.Effect<ReadonlyArray<A>, never, Sql>
  readonly find: (id: string) => Effect.Effect<A | undefined, never, Sql>
  readonly count: Effect.Effect<number, never, Sql>
  readonly insert: (document: A) => Effect.Effect<void, never, Sql>
  /** Writes a changed document. The revision guards the statement: a miss within the unit that read it is a defect. */
  readonly update: (before: A, after: A) => Effect.Effect<void, never, Sql>
  readonly remove: (id: string) => Effect.Effect<void, never, Sql>
}

/** The documents of a table that has the columns `id`, `revision` and `json`, and those that are named here. */
export const documents = <A extends Document, I>(
  table: string,
  kind: Schema.Schema<A, I>,
  columnsOf: (document: A) => Columns
): Documents<A> => {
  const read = columnReader(kind, table)
  const columns = (document: A) => ({
    ...columnsOf(document),
    id: document.id,
    revision: document.revision,
    json: JSON.stringify(document)
  })
  const select: Documents<A>["select"] = (tail) =>
    Effect.map(
      rows<{ id: string; json: string }>((sql) => sql`SELECT id, json FROM ${sql(table)} ${tail(sql)}`),
      (found) => found.map(({ id, json }) => read(json, id))
    )
  return {
    select,
    find: (id) =>
      Effect.map(
        select((sql) => sql`WHERE id = ${id}`),
        ([found]) => found
      ),
    count: Effect.map(
      firstRow<{ n: number }>((sql) => sql`SELECT COUNT(*) AS n FROM ${sql(table)}`),
      (found) => found?.n ?? 0
    ),
    insert: (document) => run((sql) => sql`INSERT INTO ${sql(table)} ${sql.insert(columns(document))}`),
    update: (before, after) =>
      Effect.flatMap(
        rows<{ id: string }>(
          (sql) => sql`
            UPDATE ${sql(table)} SET ${sql.update(columns(after), ["id"])}
            WHERE id = ${before.id} AND revision = ${before.revision} RETURNING id`
        ),
        (updated) =>
          updated.length === 1
            ? Effect.void
            : Effect.dieMessage(`${before.id} of ${table} changed under its own unit`)
      ),
    remove: (id) => run((sql) => sql`DELETE FROM ${sql(table)} WHERE id = ${id}`)
  }
}
