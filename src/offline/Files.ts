import * as FileSystem from "@effect/platform/FileSystem"
import { Effect } from "effect"
import * as DurableFile from "../kernel/DurableFile.ts"

/** Makes the names in the directory of a file durable; a system that can't, as Windows, does so by itself. */
export const syncDirectoryOf = (path: string) => Effect.ignore(DurableFile.syncDirectoryOf(path))

/** Gives a complete file its name, in one step that a power cut does not undo. */
export const publish = (from: string, to: string) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    yield* DurableFile.syncFile(from)
    yield* files.rename(from, to)
    yield* syncDirectoryOf(to)
  })
