import { dirname } from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import { Effect } from "effect"
import { requireRoom } from "../kernel/FreeSpace.ts"
import { packBlobs } from "../storage/blobs/PackBlobs.ts"
import { openPlain } from "../storage/Connection.ts"
import * as Lock from "../storage/place/Lock.ts"
import * as DatabasePlace from "../storage/sqlite/DatabasePlace.ts"
import type { Place } from "./Restore.ts"

/** Copies the board with its blobs into a file, while no server works on it. False when there is no board. */
export const copyStopped = ({ database: named, directory }: Place, file: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      if (!(yield* files.exists(named))) return false
      yield* Lock.acquire(directory)
      const database = yield* DatabasePlace.realPlaceOf(named)
      yield* Lock.acquireDatabase(database, directory)
      yield* requireRoom(dirname(file), Number((yield* files.stat(database)).size))
      yield* Effect.flatMap(openPlain(database), (connection) => connection.copyTo(file))
      yield* packBlobs(file, directory)
      return true
    })
  )
