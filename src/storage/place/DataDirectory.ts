import { resolve } from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import { Effect, Layer } from "effect"
import { directoryUnusable, type PlaceUnusable } from "./PlaceUnusable.ts"

/** Makes sure that a directory is there and can be written. One that is made is for its owner alone. */
export const ensure = (
  variable: string,
  directory: string
): Effect.Effect<void, PlaceUnusable, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    yield* files.makeDirectory(directory, { recursive: true, mode: 0o700 })
    yield* files.access(directory, { readable: true, writable: true })
  }).pipe(Effect.mapError(directoryUnusable(variable, directory)))

/** Makes sure of the data directory before anything is kept in it. */
export const layer = (directory: string) =>
  Layer.effectDiscard(ensure("SERVICE_DATA_DIR", resolve(directory)))
