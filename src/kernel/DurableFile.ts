import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import { Effect } from "effect"

/**
 * Replaces a file that only its owner may read: all of the new text is there, or all of the old, also after a power cut.
 */
export const replaceFile = (file: string, text: string) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const beside = `${file}.new`
    yield* Effect.scoped(
      Effect.gen(function* () {
        const opened = yield* files.open(beside, { flag: "w", mode: 0o600 })
        yield* opened.writeAll(new TextEncoder().encode(text))
        yield* opened.sync
      })
    )
    yield* files.rename(beside, file)
    yield* Effect.scoped(
      Effect.flatMap(files.open(path.dirname(file), { flag: "r" }), (directory) => directory.sync)
    )
  })
