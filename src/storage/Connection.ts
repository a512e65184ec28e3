import * as Reactivity from "@effect/experimental/Reactivity"
import type { Connection } from "@effect/sql/SqlConnection"
import * as SqliteClient from "@effect/sql-sqlite-node/SqliteClient"
import { Effect, type Scope } from "effect"
import { runOn, sql } from "./Sql.ts"

/** Statements are prepared once and kept for the life of the process: there are a few hundred of them. */
const prepared = { prepareCacheSize: 1_000, prepareCacheTTL: "365 days" } as const

const makeClient = (config: SqliteClient.SqliteClientConfig) =>
  SqliteClient.make({ ...prepared, ...config }).pipe(Effect.provide(Reactivity.layer))

/** The client's connection, ours for the life of the scope: nobody else can begin a transaction on it. */
const reserve = (client: SqliteClient.SqliteClient): Effect.Effect<Connection, never, Scope.Scope> =>
  Effect.orDie(client.reserve)

/**
 * The one connection that writes. WAL with synchronous=FULL: an acknowledged write survives a power cut
 * (spec README, ruling 6). FULL is set here because the driver's build defaults WAL to NORMAL.
 */
export const openWriter = <E>(
  filename: string,
  prepare: (client: SqliteClient.SqliteClient) => Effect.Effect<void, E>
) =>
  Effect.gen(function* () {
    const client = yield* makeClient({ filename })
    yield* prepare(client)
    const connection = yield* reserve(client)
    yield* runOn(connection, sql`PRAGMA synchronous = FULL`)
    yield* runOn(connection, sql`PRAGMA foreign_keys = ON`)
    yield* runOn(connection, sql`PRAGMA wal_autocheckpoint = 1000`)
    yield* runOn(connection, sql`PRAGMA journal_size_limit = 67108864`)
    yield* runOn(connection, sql`PRAGMA cache_size = -16384`)
    const [mode] = yield* runOn<{ synchronous: number }>(connection, sql`PRAGMA synchronous`)
    if (mode?.synchronous !== 2) return yield* Effect.dieMessage("SQLite did not take synchronous=FULL")
    return connection
  })

/** A connection that can't write: in WAL it never waits for the writer and never sees half a commit. */
export const openReader = (filename: string) =>
  Effect.gen(function* () {
    const connection = yield* reserve(yield* makeClient({ filename, readonly: true, disableWAL: true }))
    yield* runOn(connection, sql`PRAGMA cache_size = -16384`)
    return connection
  })

/** A connection to a file that only stands for a lock: it must never wait. */
export const openLock = (filename: string) =>
  Effect.gen(function* () {
    const connection = yield* reserve(yield* makeClient({ filename, disableWAL: true }))
    yield* runOn(connection, sql`PRAGMA busy_timeout = 0`)
    return connection
  })
