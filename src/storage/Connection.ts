import * as Reactivity from "@effect/experimental/Reactivity"
import type { Connection } from "@effect/sql/SqlConnection"
import * as SqliteClient from "@effect/sql-sqlite-node/SqliteClient"
import { Data, Effect, type Scope } from "effect"
import { runOn, SqlDefect, sql } from "./Sql.ts"

/** Statements are prepared once and kept for the life of the process: there are a few hundred of them. */
const prepared = { prepareCacheSize: 1_000, prepareCacheTTL: "365 days" } as const

const makeClient = (config: SqliteClient.SqliteClientConfig) =>
  SqliteClient.make({ ...prepared, ...config }).pipe(Effect.provide(Reactivity.layer))

/** The client's connection, ours for the life of the scope: nobody else can begin a transaction on it. */
const reserve = (client: SqliteClient.SqliteClient): Effect.Effect<Connection, never, Scope.Scope> =>
  Effect.orDie(client.reserve)

/** A copy of the database could not be made. */
export class CopyFailed extends Data.TaggedError("CopyFailed")<{ readonly reason: string }> {
  override get message() {
    return `The database can't be copied: ${this.reason}`
  }
}

/**
 * The one connection that writes. With synchronous=FULL an acknowledged write survives a power cut, in WAL and in
 * delete mode (spec README, ruling 6). FULL is set here because the driver's build defaults WAL to NORMAL. The journal
 * mode is chosen first, then the schema is brought up to date.
 */
export const openWriter = <A, E>(
  filename: string,
  chooseMode: (connection: Connection) => Effect.Effect<A>,
  prepare: (client: SqliteClient.SqliteClient) => Effect.Effect<void, E>
) =>
  Effect.gen(function* () {
    const client = yield* makeClient({ filename, disableWAL: true })
    const opened = yield* Effect.scoped(Effect.flatMap(reserve(client), chooseMode))
    yield* prepare(client)
    const connection = yield* reserve(client)
    yield* runOn(connection, sql`PRAGMA synchronous = FULL`)
    yield* runOn(connection, sql`PRAGMA foreign_keys = ON`)
    yield* runOn(connection, sql`PRAGMA wal_autocheckpoint = 1000`)
    yield* runOn(connection, sql`PRAGMA journal_size_limit = 67108864`)
    yield* runOn(connection, sql`PRAGMA cache_size = -16384`)
    const [mode] = yield* runOn<{ synchronous: number }>(connection, sql`PRAGMA synchronous`)
    if (mode?.synchronous !== 2) return yield* Effect.dieMessage("SQLite did not take synchronous=FULL")
    return { connection, opened }
  })

/** The driver's connections can copy themselves, although the type of a connection does not say so. */
const canCopy = (
  connection: Connection
): connection is Connection & Pick<SqliteClient.SqliteClient, "backup"> =>
  "backup" in connection && typeof connection.backup === "function"

/**
 * Copies the database of the connection that writes into a file, a few pages at a time. What is written meanwhile goes
 * into the copy too, so it never begins anew, and nobody waits for it.
 */
export const copyTo = (connection: Connection, file: string): Effect.Effect<void, CopyFailed> =>
  canCopy(connection)
    ? Effect.mapError(
        connection.backup(file),
        (error) => new CopyFailed({ reason: new SqlDefect(error).message })
      )
    : Effect.dieMessage("The driver can't copy a database")

/** A connection that can't write: in WAL it never waits for the writer and never sees half a commit. */
export const openReader = (filename: string) =>
  Effect.gen(function* () {
    const connection = yield* reserve(yield* makeClient({ filename, readonly: true, disableWAL: true }))
    yield* runOn(connection, sql`PRAGMA cache_size = -16384`)
    return connection
  })

/** A connection to a database that no server works on, as it is. */
export const openPlain = (filename: string) =>
  Effect.flatMap(makeClient({ filename, disableWAL: true }), reserve)

/** A connection to a file that only stands for a lock: it must never wait. */
export const openLock = (filename: string) =>
  Effect.gen(function* () {
    const connection = yield* openPlain(filename)
    yield* runOn(connection, sql`PRAGMA busy_timeout = 0`)
    return connection
  })
