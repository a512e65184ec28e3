import * as FileSystem from "@effect/platform/FileSystem"
import { Effect } from "effect"
import { copyTo, openPlain } from "../storage/Connection.ts"
import * as Lock from "../storage/Lock.ts"
import type { Place } from "./Restore.ts"

/** Copies the board into a file, while no server works on it. False when there is no board. */
export const copyStopped = ({ database, directory }: Place, file: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      if (!(yield* files.exists(database))) return false
      yield* Lock.acquire(directory)
      yield* copyTo(yield* openPlain(database), file)
      return true
    })
  )
