import type { Fragment } from "@effect/sql/Statement"
import { Effect, Schema } from "effect"
import { parseStored, StoredUnreadable } from "../kernel/Json.ts"
import { type Compose, firstRow, rows, run, type Sql } from "./Sql.ts"

/** How many documents of a kind are known by their text: beyond them, all are looked at again. */
const knownLimit = 200

/**
 * Reads documents of a kind where they are stored. Their shape is looked at and their limits are not: those were for who
 * wrote them, and may have been others then. A text that was read before is what it was then, so what does not change
 * is looked at once. What does not fit was not written by this program: a defect.
 */
export const reader = <A, I>(kind: Schema.Schema<A, I>): ((json: string) => A) => {
  let fits: ((value: unknown) => value is A) | undefined
  const known = new Map<string, A>()
  return (json) => {
    const before = known.get(json)
    if (before !== undefined) return before
    // Made with the first document that is read: no start waits for it.
    fits ??= Schema.is(Schema.encodedSchema(Schema.typeSchema(kind)))
    const value = parseStored<unknown>(json)
    if (!fits(value)) throw new StoredUnreadable()
    if (known.size >= knownLimit) known.clear()
    known.set(json, value)
    return value
  }
}

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
  const read = reader(kind)
  const columns = (document: A) => ({
    ...columnsOf(document),
    id: document.id,
    revision: document.revision,
    json: JSON.stringify(document)
  })
  const select: Documents<A>["select"] = (tail) =>
    Effect.map(
      rows<{ json: string }>((sql) => sql`SELECT json FROM ${sql(table)} ${tail(sql)}`),
      (found) => found.map(({ json }) => read(json))
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
