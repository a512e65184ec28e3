import { join } from "node:path"
import type { PlatformError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import { Context, Effect, Layer, Option, type Scope, Stream } from "effect"
import type { ActorContext } from "../../kernel/Actor.ts"
import { requireRoom } from "../../kernel/FreeSpace.ts"
import { newId } from "../../kernel/Ids.ts"
import { Blobs } from "../../storage/blobs/Blobs.ts"
import { packBlobs } from "../../storage/blobs/PackBlobs.ts"
import { shownLost } from "../../storage/blobs/Parcel.ts"
import { CopyFailed } from "../../storage/Connection.ts"
import * as Journal from "../../storage/events/Journal.ts"
import { Storage } from "../../storage/Storage.ts"
import { journals } from "../../storage/sqlite/DatabasePlace.ts"
import { BackupFailed, BackupUnderWay } from "./Errors.ts"
import { BoardBackedUp } from "./Events.ts"
import { quickCheck } from "./QuickCheck.ts"

/** A copy of the whole board, the bytes of its blobs included, on its way out. */
export interface Backup {
  readonly sizeBytes: number
  readonly content: Stream.Stream<Uint8Array, unknown>
}

/** What copies are called while they lie in the data directory. */
const partialName = /^backup_\w+\.partial(?:-journal|-wal|-shm)?$/

/** The file piece by piece. It is closed by its scope, so that who goes away half-way leaves nothing open. */
const pieces = (file: FileSystem.File): Stream.Stream<Uint8Array, PlatformError> =>
  Stream.repeatEffectOption(
    file
      .readAlloc(pieceSize)
      .pipe(
        Effect.mapError(Option.some),
        Effect.flatMap(Option.match({ onNone: () => Effect.fail(Option.none()), onSome: Effect.succeed }))
      )
  )

const pieceSize = FileSystem.Size(65_536)

/**
 * Copies of the board while it works, each one file. A blob that is damaged does not keep the others from being saved: the
 * copy names it, and so does the log. A copy lies in the data directory until it is sent, readable by its owner alone;
 * one that a crash left behind is removed at the next start.
 */
export interface BackupsService {
  /** Takes a copy, which is gone when the scope closes. One is taken at a time. */
  readonly take: (by: ActorContext) => Effect.Effect<Backup, BackupUnderWay | BackupFailed, Scope.Scope>
}

export class Backups extends Context.Tag("muster/Backups")<Backups, BackupsService>() {
  static readonly layer = Layer.effect(
    Backups,
    Effect.gen(function* () {
      const storage = yield* Storage
      const blobs = yield* Blobs
      const files = yield* FileSystem.FileSystem
      const turn = yield* Effect.makeSemaphore(1)

      const leftovers = (yield* files.readDirectory(storage.directory)).filter((name) =>
        partialName.test(name)
      )
      yield* Effect.forEach(leftovers, (name) => files.remove(join(storage.directory, name)), {
        discard: true
      })

      const { filename } = storage.posture
      const databaseBytes =
        filename === undefined
          ? Effect.succeed(0)
          : Effect.map(files.stat(filename), ({ size }) => Number(size))

      /** A copy that SQLite finds damaged is a copy of a damaged database. */
      const requireGood = (file: string) =>
        Effect.flatMap(quickCheck(file), (verdict) => {
          if (verdict === "damaged") {
            return Effect.flatMap(storage.damage.note("corrupt"), Effect.die)
          }
          return verdict === "ok" ? Effect.void : new CopyFailed({ reason: "the copy can't be checked" })
        })

      const copy = (file: string, by: ActorContext) =>
        Effect.gen(function* () {
          yield* requireRoom(storage.directory, yield* databaseBytes)
          // Made before SQLite opens it, so that nobody else can read it for a moment either.
          yield* files.writeFileString(file, "", { mode: 0o600 })
          const lost = yield* blobs.unswept(
            Effect.zipRight(
              Effect.zipRight(storage.copyTo(file), requireGood(file)),
              packBlobs(file, storage.directory)
            )
          )
          if (lost.length > 0) yield* Effect.logError(`A backup lacks ${shownLost(lost)}`)
          const sizeBytes = Number((yield* files.stat(file)).size)
          yield* storage.write(
            Journal.record(new BoardBackedUp({ resourceId: by.workspaceId, sizeBytes }), by)
          )
          return sizeBytes
        }).pipe(
          Effect.provideService(FileSystem.FileSystem, files),
          Effect.tapError((error) => Effect.logError("A backup failed", error)),
          Effect.mapError(() => new BackupFailed())
        )

      return Backups.of({
        take: Effect.fn("Backups.take")(function* (by) {
          const name = `${yield* newId("backup")}.partial`
          const file = yield* Effect.acquireRelease(Effect.succeed(join(storage.directory, name)), (file) =>
            Effect.forEach(["", ...journals], (suffix) =>
              Effect.ignore(files.remove(`${file}${suffix}`, { force: true }))
            )
          )
          const taken = yield* turn.withPermitsIfAvailable(1)(copy(file, by))
          if (Option.isNone(taken)) return yield* new BackupUnderWay()
          // From here on the copy is read through this alone, whatever becomes of its name.
          const copied = yield* Effect.mapError(files.open(file, { flag: "r" }), () => new BackupFailed())
          return { sizeBytes: taken.value, content: pieces(copied) }
        })
      })
    })
  )
}
