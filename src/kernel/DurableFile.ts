import { dirname } from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import { Effect } from "effect"

/** Flushes a file or a directory to the disk, so that it survives a power cut. */
const sync = (path: string, flag: "r" | "r+") =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    yield* Effect.scoped(Effect.flatMap(files.open(path, { flag }), (file) => file.sync))
  })

/** Flushes the content of a file. */
export const syncFile = (path: string) => sync(path, "r+")

/** Flushes the directory of a file: its name survives a power cut too. */
export const syncDirectoryOf = (path: string) => sync(dirname(path), "r")

/** Replaces a file atomically, with mode 0600: after a power cut it holds all of the new text or all of the old. */
export const replaceFile = (file: string, text: string) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const beside = `${file}.new`
    yield* files.writeFileString(beside, text, { mode: 0o600 })
    yield* syncFile(beside)
    yield* files.rename(beside, file)
    yield* syncDirectoryOf(file)
  })
