import { basename, dirname } from "node:path"
import type { PlatformError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import { Effect, Stream } from "effect"
import { syncFile } from "../kernel/DurableFile.ts"
import { codeOf } from "../kernel/FileTrouble.ts"
import { isDigest, placeOf, rootOf, scheme } from "../storage/blobs/BlobFiles.ts"
import { blobsOf } from "../storage/blobs/Parcel.ts"
import { openPlain } from "../storage/Connection.ts"
import { keptBlobsSuffix } from "../storage/sqlite/DatabasePlace.ts"
import { syncDirectoryOf } from "./Files.ts"

/** Where a board that a restore has replaced has its blobs. */
export const keptBlobsOf = (keptAs: string): string => `${keptAs}${keptBlobsSuffix}`

/** The digests of a board's blobs; those of all files when it can't be read any more. */
const digestsOf = (database: string, root: string) => {
  const noted = Stream.unwrapScoped(Effect.map(openPlain(database), blobsOf))
  const lying = Stream.unwrap(
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const names = yield* Effect.orElseSucceed(files.readDirectory(root, { recursive: true }), () => [])
      return Stream.fromIterable(names.map((name) => `${scheme}${basename(name)}`).filter(isDigest))
    })
  )
  return noted.pipe(
    Stream.map(({ digest }) => digest),
    Stream.catchAllCause(() => lying)
  )
}

/** Gives a blob a second name, or copies it where that can't be. One that is lost already stays so. */
const keep = (file: string, name: string) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    yield* files.makeDirectory(dirname(name), { recursive: true, mode: 0o700 })
    yield* files
      .link(file, name)
      .pipe(
        Effect.catchAll((error: PlatformError) =>
          ["ENOENT", "EEXIST"].includes(codeOf(error) ?? "")
            ? Effect.void
            : Effect.zipRight(files.copyFile(file, name), syncFile(name))
        )
      )
    yield* syncDirectoryOf(name)
  })

/**
 * Keeps the blobs of a board that is about to be replaced beside it, as the next server sweeps what the new board does
 * not refer to.
 */
export const keepBlobs = (database: string, keptAs: string, directory: string) => {
  const [root, kept] = [rootOf(directory), keptBlobsOf(keptAs)]
  return Stream.runForEach(digestsOf(database, root), (digest) =>
    keep(placeOf(root, digest), placeOf(kept, digest))
  )
}
