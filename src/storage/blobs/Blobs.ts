import { join } from "node:path"
import type { PlatformError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import { Context, Duration, Effect, Layer, Option, type Scope, Stream } from "effect"
import { syncDirectoryOf } from "../../kernel/DurableFile.ts"
import { codeOf, reasonOf } from "../../kernel/FileTrouble.ts"
import { newId } from "../../kernel/Ids.ts"
import { now } from "../../kernel/Time.ts"
import * as Worker from "../../kernel/Worker.ts"
import { Storage } from "../Storage.ts"
import * as BlobFiles from "./BlobFiles.ts"
import { isKept, settle } from "./BlobRepo.ts"
import { BlobDamaged, type BlobNotWritten, type BlobTooLarge } from "./Errors.ts"

/** Which bytes of a blob: so many from an offset on; to its end without a length. */
export interface Range {
  readonly offset: number
  readonly length?: number
}

/** A blob that was found as it was put there. */
export interface Content {
  /** How long it is as a whole. */
  readonly sizeBytes: number
  readonly bytes: Stream.Stream<Uint8Array, BlobDamaged>
}

/**
 * Large contents beside the database, each once. A file is on the disk before a row refers to it, and goes after the
 * last one that did: whatever a crash cuts short leaves at the most a file that the next sweep takes away.
 */
export interface BlobsService {
  /**
   * Writes a content of so many bytes at the most, and keeps it from the sweep until the scope closes. By then a unit has
   * called `keep` and written the row that refers to it, or it is swept.
   */
  readonly put: <E, R>(
    content: Stream.Stream<Uint8Array, E, R>,
    limitBytes: number
  ) => Effect.Effect<BlobFiles.Blob, E | BlobTooLarge | BlobNotWritten, R | Scope.Scope>
  /**
   * Opens a blob. All of it is checked before the first byte is given, unless it was checked before and its file has not
   * changed since: so parts of a large one are read at the cost of the part.
   */
  readonly open: (digest: string, range?: Range) => Effect.Effect<Content, BlobDamaged>
  /** Keeps every file that is there, and that comes meanwhile: a copy of the board is about to take them along. */
  readonly unswept: <A, E, R>(copying: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Removes what nobody refers to and what is older than an hour, and tells how many files those were. */
  readonly sweep: Effect.Effect<number, PlatformError>
}

export type { Blob } from "./BlobFiles.ts"
export { keep } from "./BlobRepo.ts"
export { BlobDamaged, BlobNotWritten, BlobTooLarge } from "./Errors.ts"

const folderPattern = /^[0-9a-f]{2}$/

/** How old a file must be that nothing refers to, before it is swept, and how often that is looked at. */
const grace = Duration.toMillis("1 hour")

/** How many files are known to be whole: more of them are checked again. */
const verifiedLimit = 10_000

export class Blobs extends Context.Tag("muster/Blobs")<Blobs, BlobsService>() {
  static readonly layer = Layer.scoped(
    Blobs,
    Effect.gen(function* () {
      const storage = yield* Storage
      const files = yield* FileSystem.FileSystem
      const root = BlobFiles.rootOf(storage.directory)
      const incoming = BlobFiles.incomingOf(root)
      const turn = yield* Effect.makeSemaphore(1)
      /** How many scopes are open that put a blob. */
      const held = new Map<string, number>()
      /** How many copies of the board are being made. */
      let copies = 0
      /** The files that were found whole, as they lay there then. */
      const verified = new Map<string, string>()

      // Nobody else works in this directory: what lies here was cut short by a crash.
      yield* files.remove(incoming, { recursive: true, force: true })
      yield* files.makeDirectory(incoming, { recursive: true, mode: 0o700 })
      yield* syncDirectoryOf(root)

      const placeOf = (digest: string) => BlobFiles.placeOf(root, digest)

      const hold = (digest: string) =>
        Effect.acquireRelease(
          Effect.sync(() => held.set(digest, (held.get(digest) ?? 0) + 1)),
          () =>
            Effect.sync(() => {
              const others = (held.get(digest) ?? 1) - 1
              if (others === 0) held.delete(digest)
              else held.set(digest, others)
            })
        )

      /** Gives a file its name. One that is there already is replaced: it is new again, and whole if it was damaged. */
      const publish = (file: string, digest: string) =>
        Effect.gen(function* () {
          const seconds = (yield* now) / 1_000
          yield* files.utimes(file, seconds, seconds)
          yield* BlobFiles.publish(file, placeOf(digest))
        }).pipe(
          Effect.provideService(FileSystem.FileSystem, files),
          turn.withPermits(1),
          Effect.uninterruptible,
          BlobFiles.written
        )

      const put: BlobsService["put"] = (content, limitBytes) =>
        Effect.gen(function* () {
          const id = yield* newId("blob")
          const file = join(incoming, id)
          return yield* BlobFiles.write(file, content, limitBytes).pipe(
            Effect.provideService(FileSystem.FileSystem, files),
            Effect.tap(({ digest }) => Effect.zipRight(hold(digest), publish(file, digest))),
            Effect.ensuring(Effect.ignore(files.remove(file, { force: true })))
          )
        })

      /** Makes sure that a blob is what was put there, and gives its size. */
      const verify = (digest: string) =>
        Effect.gen(function* () {
          const file = placeOf(digest)
          const { ino, mtime, size } = yield* BlobFiles.damaged(digest)(files.stat(file))
          const seen = [
            Option.getOrElse(ino, () => 0),
            Option.getOrElse(mtime, () => 0).valueOf(),
            size
          ].join()
          if (verified.get(digest) !== seen) {
            yield* Effect.provideService(BlobFiles.requireWhole(file, digest), FileSystem.FileSystem, files)
            if (verified.size >= verifiedLimit) verified.clear()
            verified.set(digest, seen)
          }
          return Number(size)
        })

      const open = Effect.fn("Blobs.open")(function* (
        digest: string,
        { length, offset }: Range = { offset: 0 }
      ) {
        if (!BlobFiles.isDigest(digest)) return yield* new BlobDamaged({ digest, finding: "missing" })
        const sizeBytes = yield* verify(digest)
        const part = { offset, ...(length === undefined ? {} : { bytesToRead: length }) }
        const bytes = Stream.mapError(
          files.stream(placeOf(digest), part),
          () => new BlobDamaged({ digest, finding: "unreadable" })
        )
        const content: Content = { sizeBytes, bytes }
        return content
      })

      /** Removes a file that nothing refers to, if it is old; and tells whether it did. */
      const removeOld = (digest: string) =>
        Effect.gen(function* () {
          if (copies > 0 || held.has(digest) || (yield* storage.read(isKept(digest)))) return false
          const file = placeOf(digest)
          const { mtime } = yield* files.stat(file)
          const age = (yield* now) - Option.getOrElse(mtime, () => 0).valueOf()
          if (age <= grace) return false
          yield* files.remove(file)
          return true
        }).pipe(
          turn.withPermits(1),
          // Another sweep may have been faster; and one bad file must not keep the others.
          Effect.catchAll((error) =>
            Effect.as(
              Effect.when(
                Effect.logWarning(`The blob ${digest} can't be swept: ${reasonOf(error)}`),
                () => codeOf(error) !== "ENOENT"
              ),
              false
            )
          )
        )

      const unswept: BlobsService["unswept"] = (copying) =>
        Effect.acquireUseRelease(
          Effect.sync(() => copies++),
          () => copying,
          () => Effect.sync(() => copies--)
        )

      const sweepFolder = (folder: string) =>
        Effect.gen(function* () {
          const kept = yield* storage.write(settle(folder))
          const found = (yield* files.readDirectory(join(root, folder))).map(
            (name) => `${BlobFiles.scheme}${name}`
          )
          const loose = found.filter((digest) => BlobFiles.isDigest(digest) && !kept.has(digest))
          return (yield* Effect.filter(loose, removeOld)).length
        })

      const sweep = Effect.gen(function* () {
        const folders = (yield* files.readDirectory(root)).filter((name) => folderPattern.test(name))
        return yield* Effect.reduce(folders, 0, (sum, folder) =>
          Effect.map(sweepFolder(folder), (removed) => sum + removed)
        )
      })

      yield* Worker.start("blobs", Effect.zipRight(Effect.sleep(grace), sweep))

      return Blobs.of({ put, open, unswept, sweep })
    })
  )
}
