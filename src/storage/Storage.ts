import * as Path from "@effect/platform/Path"
import type { MigrationError } from "@effect/sql/Migrator"
import type { SqlError } from "@effect/sql/SqlError"
import { Cause, Context, Effect, Exit, Layer, type Scope } from "effect"
import * as Committer from "./Committer.ts"
import { type CopyFailed, memory, openReader, openWriter } from "./Connection.ts"
import { migrate, type SchemaTooNew } from "./Migrations.ts"
import { type DamageWatch, type Refusal, refusalOf, watch } from "./place/Damage.ts"
import * as DataDirectory from "./place/DataDirectory.ts"
import * as Lock from "./place/Lock.ts"
import { type Build, runOn, type Sql, scopeOf } from "./Sql.ts"
import * as DatabasePlace from "./sqlite/DatabasePlace.ts"
import { type Detected, detect, inMemory } from "./sqlite/Detection.ts"
import type { SqliteEnvironment } from "./sqlite/JournalMode.ts"
import { type Opened, recordOutcome, settleMode, UnsafeFileSystem } from "./sqlite/Opening.ts"
import * as UnitRunner from "./UnitRunner.ts"

/** What is known of the database file since the start. */
export interface DatabasePosture extends Detected, Opened {
  readonly databaseLocation: "memory" | "configured" | "runtime-default"
  readonly environment: SqliteEnvironment
  /** The file; undefined for a database in memory. */
  readonly filename: string | undefined
}

/**
 * The store. One process owns the file; all writes go through one connection in groups, all reads through another
 * one that can't write.
 */
export interface StorageService {
  /**
   * Runs a unit of work: all of it is committed before the answer, or none of it. A unit holds statements and pure
   * code only; one that waits for anything dies and is rolled back.
   */
  readonly write: <A, E, R>(unit: Effect.Effect<A, E, R>) => Effect.Effect<A, E, Exclude<R, Sql>>
  /**
   * Takes in a unit that needs nothing but statements, for who runs no fiber while it waits; `done` hears what came of it,
   * after its commit. What it gives takes the unit back, if that has not run by then.
   */
  readonly submit: <A, E>(unit: Effect.Effect<A, E, Sql>, done: (exit: Exit.Exit<A, E>) => void) => () => void
  /** Runs a query of several statements on one snapshot. */
  readonly read: <A, E, R>(query: Effect.Effect<A, E, R>) => Effect.Effect<A, E, Exclude<R, Sql>>
  /**
   * Runs a part of a read that is too long for one go, then lets others have the thread: of all the parts that wait, one
   * runs at a turn of the event loop. Who asks bounds a part; the next one may see what was written meanwhile.
   */
  readonly slice: <A, E, R>(query: Effect.Effect<A, E, R>) => Effect.Effect<A, E, Exclude<R, Sql>>
  /** Runs one statement that reads: the shortest way to a row. */
  readonly select: <Row extends object>(build: Build) => Effect.Effect<ReadonlyArray<Row>>
  /** Calls the listener after each commit that moved one of the streams, until the scope closes. It must return at once. */
  readonly onMove: (
    streams: ReadonlyArray<string>,
    listener: () => void
  ) => Effect.Effect<void, never, Scope.Scope>
  /** The directory that holds the database and everything else that the service keeps. */
  readonly directory: string
  /** How the database was opened, and on what. */
  readonly posture: DatabasePosture
  /** Copies the whole database into a file, while writes go on. The file must not exist. */
  readonly copyTo: (file: string) => Effect.Effect<void, CopyFailed>
  /** What is known of damage. A database that is known to be damaged takes no write and makes no copy. */
  readonly damage: Pick<DamageWatch, "known" | "note">
}

/** The next turn of the event loop, after what came in over the network. */
const nextTurn = Effect.async<void>((resume) => {
  const waiting = setImmediate(() => resume(Effect.void))
  return Effect.sync(() => clearImmediate(waiting))
})

export interface StorageOptions {
  readonly directory: string
  readonly filename?: string
  readonly sqlite?: SqliteEnvironment
}

export class Storage extends Context.Tag("muster/Storage")<Storage, StorageService>() {
  /** SQLite in the given directory, which is created when it is missing and locked while the layer lives. */
  static readonly layerSqlite = (options: StorageOptions) =>
    Layer.scoped(
      Storage,
      Effect.gen(function* () {
        const path = yield* Path.Path
        const directory = path.resolve(options.directory)
        yield* DataDirectory.ensure("SERVICE_DATA_DIR", directory)
        yield* Lock.acquire(directory)
        const named = options.filename ?? path.join(directory, "muster.db")
        const inFile = named !== memory
        const filename = inFile ? yield* DatabasePlace.realPlaceOf(named) : memory
        const detected = inFile ? yield* detect(filename) : inMemory
        if (detected.filesystemPosture === "known-unsafe") return yield* new UnsafeFileSystem(detected)
        const environment = options.sqlite ?? {}
        if (inFile) {
          yield* Lock.acquireDatabase(filename, directory)
          yield* DatabasePlace.prepare(filename)
        }
        const { connection, opened, reader } = yield* open(filename, (first) =>
          settleMode(first, detected, environment)
        )
        const damage = watch(filename)
        const whole: Effect.Effect<void> = Effect.suspend(() => {
          const known = damage.known()
          return known === undefined ? Effect.void : Effect.die(known)
        })
        const told = <A, E>(exit: Exit.Exit<A, E>): Exit.Exit<A, E> =>
          Exit.isSuccess(exit) ? exit : Exit.failCause(damage.told(exit.cause))
        /** Who waits for a stream: thousands may, each for another one, so a commit looks up those that it moved. */
        const followers = new Map<string, Set<() => void>>()
        const runner = yield* UnitRunner.make
        const nobody = yield* UnitRunner.nobody
        const committer = Committer.make(connection, runner, {
          refuse: damage.known,
          committed: (moved) => {
            const awake = new Set<() => void>()
            for (const stream of moved) for (const one of followers.get(stream) ?? []) awake.add(one)
            for (const listener of awake) listener()
          },
          told
        })
        yield* committer.write(recordOutcome(opened))
        const read: StorageService["read"] = (query) =>
          Effect.withFiberRuntime((fiber) => told(runner.run(query, scopeOf(reader), fiber)))
        const slices = yield* Effect.makeSemaphore(1)
        return Storage.of({
          directory,
          posture: {
            ...detected,
            ...opened,
            databaseLocation: !inFile
              ? "memory"
              : options.filename === undefined
                ? "runtime-default"
                : "configured",
            environment,
            filename: inFile ? filename : undefined
          },
          damage,
          copyTo: (file) => Effect.zipRight(whole, connection.copyTo(file)),
          write: committer.write,
          submit: (unit, done) => committer.submit(unit, nobody, done),
          read,
          slice: (query) => slices.withPermits(1)(Effect.zipLeft(read(query), nextTurn)),
          select: (build) => Effect.mapErrorCause(runOn(reader, build), damage.told),
          onMove: (streams, listener) =>
            Effect.suspend(() => {
              // The same listener may wait twice, each time until its own scope closes.
              const own = () => listener()
              return Effect.acquireRelease(
                Effect.sync(() => {
                  for (const stream of streams) {
                    const others = followers.get(stream)
                    if (others === undefined) followers.set(stream, new Set([own]))
                    else others.add(own)
                  }
                }),
                () =>
                  Effect.sync(() => {
                    for (const stream of streams) {
                      const others = followers.get(stream)
                      others?.delete(own)
                      if (others?.size === 0) followers.delete(stream)
                    }
                  })
              )
            })
        })
      })
    )
}

/**
 * Opens both connections of a database. What SQLite has against it is told by its name: the operator can act on it.
 */
const open = (filename: string, chooseMode: Parameters<typeof openWriter<Opened, never>>[1]) =>
  Effect.gen(function* () {
    const { connection, opened } = yield* openWriter(filename, chooseMode, migrate)
    // Only the connection that writes sees a database in memory.
    const reader = filename === memory ? connection : yield* openReader(filename)
    return { connection, opened, reader }
  }).pipe(
    Effect.mapErrorCause((cause): Cause.Cause<MigrationError | Refusal | SchemaTooNew | SqlError> => {
      const refusal = refusalOf(filename, Cause.squash(cause))
      return refusal === undefined ? cause : Cause.fail(refusal)
    })
  )
