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

/** Makes the names in the directory of a file durable; a system that can't, as Windows, does so by itself. */
export const syncDirectoryOf = (path: string) => Effect.ignore(sync(dirname(path), "r"))

/** Gives a complete file its name, in one step that a power cut does not undo. */
export const publish = (from: string, to: string) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    yield* syncFile(from)
    yield* files.rename(from, to)
    yield* syncDirectoryOf(to)
  })
