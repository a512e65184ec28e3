import { createHash } from "node:crypto"
import { dirname, join } from "node:path"
import type { PlatformError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import { Context, Data, Duration, Effect, Layer, Option, type Scope, Stream } from "effect"
import { syncDirectoryOf } from "../../kernel/DurableFile.ts"
import { codeOf, reasonOf } from "../../kernel/FileTrouble.ts"
import { newId } from "../../kernel/Ids.ts"
import { now } from "../../kernel/Time.ts"
import * as Worker from "../../kernel/Worker.ts"
import { Storage } from "../Storage.ts"
import { type Blob, isKept, scheme, settle } from "./BlobRepo.ts"

/** There is more of it than may be kept. */
export class BlobTooLarge extends Data.TaggedError("BlobTooLarge")<{ readonly limitBytes: number }> {}

/** A file could not be written, as when the disk is full. Nothing of it is left. */
export class BlobNotWritten extends Data.TaggedError("BlobNotWritten")<{ readonly reason: string }> {}

/** A blob is not what was put there: its file is gone, holds something else, or can't be read. */
export class BlobDamaged extends Data.TaggedError("BlobDamaged")<{
  readonly digest: string
  readonly finding: "missing" | "changed" | "unreadable"
}> {}

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
  ) => Effect.Effect<Blob, E | BlobTooLarge | BlobNotWritten, R | Scope.Scope>
  /**
   * Opens a blob. All of it is checked before the first byte is given, unless it was checked before and its file has not
   * changed since: so parts of a large one are read at the cost of the part.
   */
  readonly open: (digest: string, range?: Range) => Effect.Effect<Content, BlobDamaged>
  /** Removes what nobody refers to and what is older than an hour, and tells how many files those were. */
  readonly sweep: Effect.Effect<number, PlatformError>
}

export { type Blob, keep } from "./BlobRepo.ts"

const digestPattern = /^sha256:[0-9a-f]{64}$/
const folderPattern = /^[0-9a-f]{2}$/

/** How old a file must be that nothing refers to, before it is swept, and how often that is looked at. */
const grace = Duration.toMillis("1 hour")

/** How many files are known to be whole: more of them are checked again. */
const verifiedLimit = 10_000

const written = Effect.mapError((error: PlatformError) => new BlobNotWritten({ reason: reasonOf(error) }))

export class Blobs extends Context.Tag("muster/Blobs")<Blobs, BlobsService>() {
  static readonly layer = Layer.scoped(
    Blobs,
    Effect.gen(function* () {
      const storage = yield* Storage
      const files = yield* FileSystem.FileSystem
      const root = join(storage.directory, "blobs")
      const incoming = join(root, "incoming")
      const turn = yield* Effect.makeSemaphore(1)
      /** How many scopes are open that put a blob. */
      const held = new Map<string, number>()
      /** The files that were found whole, as they lay there then. */
      const verified = new Map<string, string>()

      // Nobody else works in this directory: what lies here was cut short by a crash.
      yield* files.remove(incoming, { recursive: true, force: true })
      yield* files.makeDirectory(incoming, { recursive: true, mode: 0o700 })
      yield* syncDirectoryOf(root)

      const placeOf = (digest: string) => {
        const name = digest.slice(scheme.length)
        return join(root, name.slice(0, 2), name)
      }

      const write = <E, R>(file: string, content: Stream.Stream<Uint8Array, E, R>, limitBytes: number) =>
        Effect.gen(function* () {
          const opened = yield* written(files.open(file, { flag: "wx", mode: 0o600 }))
          const hash = createHash("sha256")
          let sizeBytes = 0
          yield* Stream.runForEach(content, (chunk): Effect.Effect<void, BlobTooLarge | BlobNotWritten> => {
            sizeBytes += chunk.length
            if (sizeBytes > limitBytes) return new BlobTooLarge({ limitBytes })
            hash.update(chunk)
            return written(opened.writeAll(chunk))
          })
          yield* written(opened.sync)
          const blob: Blob = { digest: `${scheme}${hash.digest("hex")}`, sizeBytes }
          return blob
        })

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
          const place = placeOf(digest)
          const seconds = (yield* now) / 1_000
          yield* files.makeDirectory(dirname(place), { recursive: true, mode: 0o700 })
          yield* files.utimes(file, seconds, seconds)
          yield* files.rename(file, place)
          yield* syncDirectoryOf(place)
          yield* syncDirectoryOf(dirname(place))
        }).pipe(
          Effect.provideService(FileSystem.FileSystem, files),
          turn.withPermits(1),
          Effect.uninterruptible,
          written
        )

      const put: BlobsService["put"] = (content, limitBytes) =>
        Effect.gen(function* () {
          const id = yield* newId("blob")
          const file = join(incoming, id)
          return yield* Effect.scoped(write(file, content, limitBytes)).pipe(
            Effect.tap(({ digest }) => Effect.zipRight(hold(digest), publish(file, digest))),
            Effect.ensuring(Effect.ignore(files.remove(file, { force: true })))
          )
        })

      const damaged = (digest: string) =>
        Effect.mapError(
          (error: PlatformError) =>
            new BlobDamaged({ digest, finding: codeOf(error) === "ENOENT" ? "missing" : "unreadable" })
        )

      const hashOf = (file: string) =>
        Effect.map(
          Stream.runFold(files.stream(file), createHash("sha256"), (hash, chunk) => hash.update(chunk)),
          (hash) => `${scheme}${hash.digest("hex")}`
        )

      /** Makes sure that a blob is what was put there, and gives its size. */
      const verify = (digest: string) =>
        Effect.gen(function* () {
          const file = placeOf(digest)
          const { ino, mtime, size } = yield* damaged(digest)(files.stat(file))
          const seen = [
            Option.getOrElse(ino, () => 0),
            Option.getOrElse(mtime, () => 0).valueOf(),
            size
          ].join()
          if (verified.get(digest) !== seen) {
            if ((yield* damaged(digest)(hashOf(file))) !== digest)
              return yield* new BlobDamaged({ digest, finding: "changed" })
            if (verified.size >= verifiedLimit) verified.clear()
            verified.set(digest, seen)
          }
          return Number(size)
        })

      const open = Effect.fn("Blobs.open")(function* (
        digest: string,
        { length, offset }: Range = { offset: 0 }
      ) {
        if (!digestPattern.test(digest)) return yield* new BlobDamaged({ digest, finding: "missing" })
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
          if (held.has(digest) || (yield* storage.read(isKept(digest)))) return false
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

      const sweepFolder = (folder: string) =>
        Effect.gen(function* () {
          const kept = yield* storage.write(settle(folder))
          const found = (yield* files.readDirectory(join(root, folder))).map((name) => `${scheme}${name}`)
          const loose = found.filter((digest) => digestPattern.test(digest) && !kept.has(digest))
          return (yield* Effect.filter(loose, removeOld)).length
        })

      const sweep = Effect.gen(function* () {
        const folders = (yield* files.readDirectory(root)).filter((name) => folderPattern.test(name))
        return yield* Effect.reduce(folders, 0, (sum, folder) =>
          Effect.map(sweepFolder(folder), (removed) => sum + removed)
        )
      })

      yield* Worker.start("blobs", Effect.zipRight(Effect.sleep(grace), sweep))

      return Blobs.of({ put, open, sweep })
    })
  )
}
