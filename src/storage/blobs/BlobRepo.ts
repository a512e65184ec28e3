import { Effect } from "effect"
import { firstRow, rows, run, type Sql, sql } from "../Sql.ts"
import { type Blob, scheme } from "./BlobFiles.ts"

/**
 * Notes a blob in the unit that writes the first row which refers to it. Such a row does so by a foreign key to
 * `blobs (digest)`, which is how the sweep knows of it: an owner that forgets to say so can't be written.
 */
export const keep = ({ digest, sizeBytes }: Blob): Effect.Effect<void, never, Sql> =>
  run(
    sql`INSERT INTO blobs (digest, size_bytes) VALUES (${digest}, ${sizeBytes}) ON CONFLICT (digest) DO NOTHING`
  )

/** What may hold a reference to a blob. */
interface Referrer {
  readonly table: string
  readonly column: string
}

/** Every column with a foreign key to blobs. */
const referrers: Effect.Effect<ReadonlyArray<Referrer>, never, Sql> = rows<Referrer>(
  sql`
    SELECT t.name AS "table", k."from" AS "column"
    FROM sqlite_master AS t JOIN pragma_foreign_key_list(t.name) AS k
    WHERE t.type = 'table' AND k."table" = 'blobs'`
)

/** Removes the notes of blobs in a folder that no row refers to, and gives the digests of the others. */
export const settle = (folder: string): Effect.Effect<ReadonlySet<string>, never, Sql> =>
  Effect.gen(function* () {
    const [from, below] = [`${scheme}${folder}`, `${scheme}${folder}~`]
    const owners = yield* referrers
    yield* run(
      (sql) => sql`
        DELETE FROM blobs WHERE ${sql.and([
          sql`digest >= ${from} AND digest < ${below}`,
          ...owners.map(
            ({ column, table }) =>
              sql`NOT EXISTS (SELECT 1 FROM ${sql(table)} AS owner WHERE owner.${sql(column)} = blobs.digest)`
          )
        ])}`
    )
    const kept = yield* rows<{ digest: string }>(
      sql`SELECT digest FROM blobs WHERE digest >= ${from} AND digest < ${below}`
    )
    return new Set(kept.map(({ digest }) => digest))
  })

/** Whether a blob is noted. */
export const isKept = (digest: string): Effect.Effect<boolean, never, Sql> =>
  Effect.map(
    firstRow<{ digest: string }>(sql`SELECT digest FROM blobs WHERE digest = ${digest}`),
    (found) => found !== undefined
  )
