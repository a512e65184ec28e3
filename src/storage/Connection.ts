import * as Reactivity from "@effect/experimental/Reactivity"
import * as SqliteClient from "@effect/sql-sqlite-node/SqliteClient"
import Database from "better-sqlite3"
import { Cause, Data, Effect, Exit, type Scope } from "effect"

/**
 * A connection to a database. A statement runs to its end at once, and what SQLite has against it is thrown: a unit of
 * work is a few dozen statements of microseconds, and each that were an effect of its own would cost as much again.
 */
export interface Connection {
  /** Runs a statement and gives its rows. */
  readonly all: (text: string, parameters: ReadonlyArray<unknown>) => ReadonlyArray<unknown>
  /**
   * Copies the database into a file, a few pages at a time. What is written meanwhile goes into the copy too, so it never
   * begins anew, and nobody waits for it.
   */
  readonly copyTo: (file: string) => Effect.Effect<void, CopyFailed>
}

/** A copy of the database could not be made. */
export class CopyFailed extends Data.TaggedError("CopyFailed")<{ readonly reason: string }> {
  override get message() {
    return `The database can't be copied: ${this.reason}`
  }
}

const copyFailed = (error: unknown) =>
  new CopyFailed({ reason: error instanceof Error ? error.message : "SQLite does not say why" })

/** How many statements a connection keeps prepared. There are a few hundred, and those that filters make. */
const preparedLimit = 1_000

/** Opens a file for the life of the scope. A statement is prepared when it first runs, and kept. */
const openFile = (
  filename: string,
  options: { readonly readonly?: true; readonly fileMustExist?: true } = {}
): Effect.Effect<Connection, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => new Database(filename, options)),
      (database) => Effect.sync(() => database.close())
    ),
    (database) => {
      const prepared = new Map<string, Database.Statement<Array<unknown>>>()
      return {
        all: (text, parameters) => {
          let statement = prepared.get(text)
          if (statement === undefined) {
            if (prepared.size >= preparedLimit) prepared.clear()
            statement = database.prepare(text)
            prepared.set(text, statement)
          }
          if (statement.reader) return statement.all(...parameters)
          statement.run(...parameters)
          return []
        },
        copyTo: (file) =>
          Effect.asVoid(Effect.tryPromise({ try: () => database.backup(file), catch: copyFailed }))
      }
    }
  )

const openClient = (filename: string) =>
  Effect.provide(SqliteClient.make({ filename, disableWAL: true }), Reactivity.layer)

/** What a filename means that is none: a database that lives as long as the process. */
export const memory = ":memory:"

/**
 * A database in memory has one connection: that of the client which brings its schema up to date. It does not stay
 * reserved, as the migrations would wait for it for ever; nobody else has the client.
 */
const inMemory = (client: SqliteClient.SqliteClient): Effect.Effect<Connection> =>
  Effect.map(Effect.orDie(Effect.scoped(client.reserve)), (connection) => ({
    all: (text, parameters) => {
      const exit = Effect.runSyncExit(connection.execute(text, parameters, undefined))
      if (Exit.isSuccess(exit)) return exit.value
      const error = Cause.squash(exit.cause)
      throw error instanceof Error ? (error.cause ?? error) : error
    },
    copyTo: (file) => Effect.asVoid(Effect.mapError(client.backup(file), copyFailed))
  }))

const run = (connection: Connection, text: string): Effect.Effect<ReadonlyArray<unknown>> =>
  Effect.sync(() => connection.all(text, []))

/**
 * The one connection that writes. With synchronous=FULL an acknowledged write survives a power cut, in WAL and in
 * delete mode (spec README, ruling 6). FULL is set here because the driver's build defaults WAL to NORMAL. The journal
 * mode is chosen first, then the schema is brought up to date.
 */
export const openWriter = <A, E>(
  filename: string,
  chooseMode: (connection: Connection) => Effect.Effect<A>,
  migrate: (client: SqliteClient.SqliteClient) => Effect.Effect<void, E>
) =>
  Effect.gen(function* () {
    const client = filename === memory ? yield* openClient(memory) : undefined
    const connection = yield* client === undefined ? openFile(filename) : inMemory(client)
    const opened = yield* chooseMode(connection)
    yield* client === undefined
      ? Effect.scoped(Effect.flatMap(openClient(filename), migrate))
      : migrate(client)
    yield* run(connection, "PRAGMA synchronous = FULL")
    yield* run(connection, "PRAGMA foreign_keys = ON")
    yield* run(connection, "PRAGMA wal_autocheckpoint = 1000")
    yield* run(connection, "PRAGMA journal_size_limit = 67108864")
    yield* run(connection, "PRAGMA cache_size = -16384")
    const [mode] = yield* run(connection, "PRAGMA synchronous")
    if (!isFull(mode)) return yield* Effect.dieMessage("SQLite did not take synchronous=FULL")
    return { connection, opened }
  })

const isFull = (mode: unknown): boolean =>
  typeof mode === "object" && mode !== null && "synchronous" in mode && mode.synchronous === 2

/** A connection that can't write: in WAL it never waits for the writer and never sees half a commit. */
export const openReader = (filename: string) =>
  Effect.tap(openFile(filename, { readonly: true }), (connection) =>
    run(connection, "PRAGMA cache_size = -16384")
  )

/** A connection to a database that no server works on, as it is. One that is gone is not made anew. */
export const openPlain = (filename: string) => openFile(filename, { fileMustExist: true })

/** A connection to a file that only stands for a lock: it must never wait. */
export const openLock = (filename: string) =>
  Effect.tap(openFile(filename), (connection) => run(connection, "PRAGMA busy_timeout = 0"))
