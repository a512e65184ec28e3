import { createHash } from "node:crypto"
import { dirname, join } from "node:path"
import type { PlatformError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import { Effect, Stream } from "effect"
import { syncDirectoryOf } from "../../kernel/DurableFile.ts"
import { codeOf, reasonOf } from "../../kernel/FileTrouble.ts"
import { BlobDamaged, BlobNotWritten, BlobTooLarge } from "./Errors.ts"

/** A file by its content: what a run brought forth, a baseline, a snapshot. `digest` is `sha256:` and 64 hex digits. */
export interface Blob {
  readonly digest: string
  readonly sizeBytes: number
}

/** What a digest begins with. */
export const scheme = "sha256:"

const digestPattern = /^sha256:[0-9a-f]{64}$/

/** Whether a text is a digest, and so the name of a file and no way to another one. */
export const isDigest = (text: string): boolean => digestPattern.test(text)

/** Where a data directory has its blobs. */
export const rootOf = (directory: string): string => join(directory, "blobs")

/** Where files lie while they are written; what a crash leaves here is removed at the next start. */
export const incomingOf = (root: string): string => join(root, "incoming")

/** The file of a blob. */
export const placeOf = (root: string, digest: string): string => {
  const name = digest.slice(scheme.length)
  return join(root, name.slice(0, 2), name)
}

/** What the system has against writing a file. */
export const written = Effect.mapError(
  (error: PlatformError) => new BlobNotWritten({ reason: reasonOf(error) })
)

/** Writes a content of so many bytes at the most into a new file, durably, and tells which blob it is. */
export const write = <E, R>(file: string, content: Stream.Stream<Uint8Array, E, R>, limitBytes: number) =>
  Effect.scoped(
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
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
  )

/** Gives a file its name in one step that a power cut does not undo; one that is there already is replaced. */
export const publish = (file: string, place: string) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    yield* files.makeDirectory(dirname(place), { recursive: true, mode: 0o700 })
    yield* files.rename(file, place)
    yield* syncDirectoryOf(place)
    yield* syncDirectoryOf(dirname(place))
  })

/** The digest of bytes that come piece by piece. */
export const digestOf = <E, R>(content: Stream.Stream<Uint8Array, E, R>): Effect.Effect<string, E, R> =>
  Effect.suspend(() =>
    Effect.map(
      Stream.runFold(content, createHash("sha256"), (hash, chunk) => hash.update(chunk)),
      (hash) => `${scheme}${hash.digest("hex")}`
    )
  )

/** What the system has against reading a blob. */
export const damaged = (digest: string) =>
  Effect.mapError(
    (error: PlatformError) =>
      new BlobDamaged({ digest, finding: codeOf(error) === "ENOENT" ? "missing" : "unreadable" })
  )

/** Makes sure that a file holds a blob as it was put there. */
export const requireWhole = (file: string, digest: string) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    if ((yield* damaged(digest)(digestOf(files.stream(file)))) !== digest)
      return yield* new BlobDamaged({ digest, finding: "changed" })
  })
