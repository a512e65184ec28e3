import { Chunk, Data, Effect, Option, Stream } from "effect"
import type { Connection } from "../Connection.ts"
import { runOn, sql } from "../Sql.ts"
import { type Blob, digestOf } from "./BlobFiles.ts"
import type { Finding } from "./Errors.ts"

/**
 * The bytes of blobs as rows of a copy of the board, so that the copy is one file. A board has no such tables: they are
 * made in a copy and are gone from what a restore makes of it. Every blob is an entry, of its pieces or of what was wrong
 * with it.
 */
const tables = [
  sql`CREATE TABLE parcel_blobs (digest TEXT PRIMARY KEY, finding TEXT) WITHOUT ROWID`,
  sql`CREATE TABLE parcel_pieces (
    digest TEXT NOT NULL, position INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (digest, position)
  )`
]

/** How many bytes are one row: what reads or writes a blob holds no more of it at a time. */
export const pieceSize = 262_144

/** A blob that was no longer whole when the copy was made: the copy has its row, and can't have its bytes. */
export interface LostBlob {
  readonly digest: string
  readonly finding: Finding
}

const shownCount = 20

/** The blobs that are lost, for a line of text: the first of them where they are many. */
export const shownLost = (lost: ReadonlyArray<LostBlob>): string => {
  const first = lost.slice(0, shownCount).map(({ digest, finding }) => `${digest} (${finding})`)
  const rest = lost.length - first.length
  return [...first, ...(rest === 0 ? [] : [`and ${rest} more`])].join(", ")
}

/** A copy does not hold what was put into it. */
export class ParcelDamaged extends Data.TaggedError("ParcelDamaged")<{
  readonly file: string
  readonly digest: string
}> {
  override get message() {
    return `${this.file} is damaged: the bytes of the blob ${this.digest} are not what was put into it`
  }
}

const hasTable = (connection: Connection, name: string): Effect.Effect<boolean> =>
  Effect.map(
    runOn(connection, sql`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ${name}`),
    (found) => found.length > 0
  )

/** Whether a copy brings the bytes of its blobs with it. */
export const isIn = (connection: Connection): Effect.Effect<boolean> => hasTable(connection, "parcel_blobs")

/** Makes a copy ready to take them, whatever an earlier copy left in it. */
export const begin = (connection: Connection): Effect.Effect<void> =>
  Effect.zipRight(
    remove(connection),
    Effect.forEach(tables, (table) => runOn(connection, table), { discard: true })
  )

/** Takes the bytes out of a copy. Its file stays as long as it was. */
export const remove = (connection: Connection): Effect.Effect<void> =>
  Effect.zipRight(
    runOn(connection, sql`DROP TABLE IF EXISTS parcel_pieces`),
    runOn(connection, sql`DROP TABLE IF EXISTS parcel_blobs`)
  )

const pageSize = 100

/** Every blob that the rows of a board may refer to, some at a time; none of a board of before there were any. */
export const blobsOf = (connection: Connection): Stream.Stream<Blob> =>
  Stream.unwrap(
    Effect.map(hasTable(connection, "blobs"), (has) =>
      has
        ? Stream.paginateChunkEffect("", (after) =>
            Effect.map(
              runOn<Blob>(
                connection,
                sql`
                  SELECT digest, size_bytes AS sizeBytes FROM blobs
                  WHERE digest > ${after} ORDER BY digest LIMIT ${pageSize}`
              ),
              (page) => [
                Chunk.unsafeFromArray(page),
                Option.map(Option.fromNullable(page[pageSize - 1]), ({ digest }) => digest)
              ]
            )
          )
        : Stream.empty
    )
  )

/** Puts the bytes of a blob into a copy. */
export const add = <E, R>(
  connection: Connection,
  digest: string,
  bytes: Stream.Stream<Uint8Array, E, R>
): Effect.Effect<void, E, R> =>
  Effect.zipRight(
    runOn(connection, sql`INSERT INTO parcel_blobs (digest, finding) VALUES (${digest}, NULL)`),
    Stream.runForEach(Stream.zipWithIndex(bytes), ([piece, position]) =>
      runOn(
        connection,
        sql`INSERT INTO parcel_pieces (digest, position, bytes) VALUES (${digest}, ${position}, ${piece})`
      )
    )
  )

/** Says in a copy what is wrong with a blob, in place of what was put there of it. */
export const addLost = (connection: Connection, { digest, finding }: LostBlob): Effect.Effect<void> =>
  Effect.zipRight(
    runOn(connection, sql`DELETE FROM parcel_pieces WHERE digest = ${digest}`),
    runOn(
      connection,
      sql`
        INSERT INTO parcel_blobs (digest, finding) VALUES (${digest}, ${finding})
        ON CONFLICT (digest) DO UPDATE SET finding = excluded.finding`
    )
  )

/** What a copy has of a blob: undefined when nothing is said of it, null where its bytes are. */
export const findingOf = (
  connection: Connection,
  digest: string
): Effect.Effect<Finding | null | undefined> =>
  Effect.map(
    runOn<{ finding: Finding | null }>(
      connection,
      sql`SELECT finding FROM parcel_blobs WHERE digest = ${digest}`
    ),
    ([entry]) => entry?.finding
  )

/** The bytes of a blob, piece by piece. */
export const piecesOf = (connection: Connection, digest: string): Stream.Stream<Uint8Array> =>
  Stream.unfoldEffect(0, (position) =>
    Effect.map(
      runOn<{ bytes: Uint8Array }>(
        connection,
        sql`SELECT bytes FROM parcel_pieces WHERE digest = ${digest} AND position = ${position}`
      ),
      ([piece]) => Option.map(Option.fromNullable(piece), ({ bytes }) => [bytes, position + 1] as const)
    )
  )

/** Makes sure that a copy holds a blob, or says what was wrong with it. */
const requireEntry = (connection: Connection, shown: string, digest: string) =>
  Effect.gen(function* () {
    const finding = yield* findingOf(connection, digest)
    if (finding !== null && finding !== undefined) return [{ digest, finding }]
    if (finding === null && (yield* digestOf(piecesOf(connection, digest))) === digest) return []
    return yield* new ParcelDamaged({ file: shown, digest })
  })

/**
 * Makes sure that a copy holds the bytes of every blob that it does not say to be lost, and gives those. A copy of the
 * database file alone brings no bytes, and passes: a restore finds out whether they are elsewhere. `shown` is how messages
 * call the copy.
 */
export const verify = (
  connection: Connection,
  shown: string
): Effect.Effect<ReadonlyArray<LostBlob>, ParcelDamaged> =>
  Effect.gen(function* () {
    if (!(yield* isIn(connection))) return []
    const lost = Stream.mapEffect(blobsOf(connection), ({ digest }) =>
      requireEntry(connection, shown, digest)
    )
    return Chunk.toReadonlyArray(yield* Stream.runCollect(Stream.flattenIterables(lost)))
  })
