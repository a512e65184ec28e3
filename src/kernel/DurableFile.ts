import { dirname } from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import { Effect } from "effect"

/** Makes what a file or a directory holds survive a power cut. */
const sync = (path: string, flag: "r" | "r+") =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    yield* Effect.scoped(Effect.flatMap(files.open(path, { flag }), (file) => file.sync))
  })

/** Makes the content of a file durable. */
export const syncFile = (path: string) => sync(path, "r+")

/** Makes the names in the directory of a file durable. */
export const syncDirectoryOf = (path: string) => sync(dirname(path), "r")

/**
 * Replaces a file that only its owner may read: all of the new text is there, or all of the old, also after a power cut.
 */
export const replaceFile = (file: string, text: string) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const beside = `${file}.new`
    yield* files.writeFileString(beside, text, { mode: 0o600 })
    yield* syncFile(beside)
    yield* files.rename(beside, file)
    yield* syncDirectoryOf(file)
  })
