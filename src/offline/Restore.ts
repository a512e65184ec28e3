import { dirname } from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import { Effect } from "effect"
import { system } from "../kernel/Actor.ts"
import { requireRoom } from "../kernel/FreeSpace.ts"
import { iso, now } from "../kernel/Time.ts"
import * as AuditHead from "../storage/audit/AuditHead.ts"
import * as AuditKey from "../storage/audit/AuditKey.ts"
import * as RestoreMark from "../storage/audit/RestoreMark.ts"
import type { LostBlob } from "../storage/blobs/Parcel.ts"
import * as Committer from "../storage/Committer.ts"
import { openPlain } from "../storage/Connection.ts"
import * as Audit from "../storage/events/Audit.ts"
import * as Journal from "../storage/events/Journal.ts"
import * as DataDirectory from "../storage/place/DataDirectory.ts"
import * as Lock from "../storage/place/Lock.ts"
import * as Revocation from "../storage/revocations/Revocation.ts"
import * as RevocationFile from "../storage/revocations/RevocationFile.ts"
import { runOn, Sql, scopeOf, sql } from "../storage/Sql.ts"
import { journals, keptSuffix, realPlaceOf, stagedSuffix } from "../storage/sqlite/DatabasePlace.ts"
import * as UnitRunner from "../storage/UnitRunner.ts"
import { bringBlobs } from "./BringBlobs.ts"
import { verify } from "./DatabaseFile.ts"
import { publish, syncDirectoryOf } from "./Files.ts"
import { keepBlobs } from "./KeptBlobs.ts"

/** Where a board is kept. */
export interface Place {
  readonly directory: string
  readonly database: string
}

/** What a restore did. */
export interface Restored {
  readonly database: string
  readonly schema: number
  readonly sizeBytes: number
  /** Where the board that was there before lies now; absent when there was none. */
  readonly keptAs?: string
  /** What was not whole any more when the backup was made, and is not here either; absent when all of it is there. */
  readonly lostBlobs?: ReadonlyArray<LostBlob>
}

/**
 * Puts a backup in the place of the board, while no server works on it. The backup is checked before anything changes, its
 * blobs are written before anything refers to them, and the last step is one rename: a power cut leaves the old board or
 * the new one, each with its blobs, and the old one is kept either way.
 */
export const restore = (backup: string, { database: named, directory }: Place) =>
  Effect.scoped(
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      yield* DataDirectory.ensure("SERVICE_DATA_DIR", directory)
      yield* Lock.acquire(directory)
      const database = yield* realPlaceOf(named)
      yield* Lock.acquireDatabase(database, directory)
      const staged = `${database}${stagedSuffix}`
      yield* Effect.addFinalizer(() =>
        Effect.forEach(["", "-lean", ...journals], (suffix) =>
          Effect.ignore(files.remove(`${staged}${suffix}`, { force: true }))
        )
      )
      yield* requireRoom(dirname(database), Number((yield* files.stat(backup)).size))
      yield* files.copyFile(backup, staged)
      yield* files.chmod(staged, 0o600)
      const { schema } = yield* verify(staged, backup)
      const lostBlobs = yield* bringBlobs(staged, backup, directory)
      const key = (yield* AuditKey.load(directory)) ?? (yield* AuditKey.make(directory, () => Effect.void))
      const end = yield* noteRestore(staged, key, yield* headBefore(directory, key))
      yield* keepRevocations(directory, database)
      const { size } = yield* files.stat(staged)
      const keptAs = yield* keepOld(database, directory)
      yield* publish(staged, database)
      // A power cut before this leaves a mark that names the head which is still there: the next start goes on from it.
      yield* AuditHead.write(directory, yield* AuditHead.sign(key, end))
      const restored: Restored = {
        database: named,
        schema,
        sizeBytes: Number(size),
        ...(keptAs === undefined ? {} : { keptAs }),
        ...(lostBlobs.length === 0 ? {} : { lostBlobs })
      }
      return restored
    })
  )

/**
 * Writes what the board that is there now has revoked into the file beside it, from which the next start revokes it
 * again (ruling 112). It has most of it already; a board that can't be read any more has told what it could.
 */
const keepRevocations = (directory: string, database: string) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const file = RevocationFile.fileOf(directory)
    const kept = yield* RevocationFile.read(file)
    if (!(yield* files.exists(database))) return
    const noted = yield* Effect.scoped(
      Effect.flatMap(openPlain(database), (connection) =>
        Effect.provideService(Revocation.after(0), Sql, scopeOf(connection))
      )
    ).pipe(Effect.catchAllDefect(() => Effect.succeed<ReadonlyArray<Revocation.Revocation>>([])))
    const written = new Set(kept.revocations.map(({ id }) => id))
    const unwritten = noted.filter(({ id }) => !written.has(id))
    if (unwritten.length > 0) yield* RevocationFile.add(file, kept, unwritten)
  })

/** Where the chain of the board ended that is there now; null when nothing tells that was signed with this key. */
const headBefore = (directory: string, key: AuditKey.AuditKey) =>
  AuditHead.read(directory).pipe(
    Effect.catchTag("AuditHeadUnreadable", () => Effect.succeed(undefined)),
    Effect.map((head): Audit.Link | null =>
      head !== undefined && AuditHead.isGenuine(key, head)
        ? { sequence: head.sequence, hash: head.hash }
        : null
    )
  )

/**
 * Adds the restore to the audit chain of the board that comes back, signed, so that whoever verifies it can tell a
 * restore from a database that somebody put there (ruling 112). Gives the end of the chain.
 */
const noteRestore = (
  staged: string,
  key: AuditKey.AuditKey,
  head: Audit.Link | null
): Effect.Effect<Audit.Link> =>
  Effect.scoped(
    Effect.gen(function* () {
      const connection = yield* openPlain(staged)
      yield* runOn(connection, sql`PRAGMA synchronous = FULL`)
      return yield* Committer.make(connection, yield* UnitRunner.make, Committer.unwatched).write(
        Effect.gen(function* () {
          const details = RestoreMark.detailsOf(key, yield* Audit.last, head)
          yield* Journal.record(
            new RestoreMark.BoardRestored({ resourceId: system.workspaceId, ...details }),
            system
          )
          yield* AuditKey.remember(key)
          return yield* Audit.last
        })
      )
    })
  )

/**
 * Gives the old database and its blobs second names. What lies in its journal is put into it first; where that fails, as
 * with a damaged database, the journal moves along.
 */
const keepOld = (database: string, directory: string) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    if (!(yield* files.exists(database))) return undefined
    const keptAs = `${database}${keptSuffix}${iso(yield* now).replace(/[:.]/g, "-")}`
    yield* Effect.scoped(
      Effect.flatMap(openPlain(database), (connection) =>
        runOn(connection, sql`PRAGMA journal_mode = DELETE`)
      )
    ).pipe(Effect.catchAllDefect(() => Effect.void))
    yield* Effect.orElse(files.link(database, keptAs), () => files.copyFile(database, keptAs))
    yield* files.chmod(keptAs, 0o600)
    yield* keepBlobs(database, keptAs, directory)
    for (const journal of journals) {
      if (yield* files.exists(`${database}${journal}`)) {
        yield* files.rename(`${database}${journal}`, `${keptAs}${journal}`)
        yield* files.chmod(`${keptAs}${journal}`, 0o600)
      }
    }
    yield* syncDirectoryOf(database)
    return keptAs
  })
