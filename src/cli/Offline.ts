import { join, resolve } from "node:path"
import type { PlatformError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import { Config, Effect } from "effect"
import { type Connection, connection } from "../client/Connection.ts"
import { Blocked, type Failure, Misused } from "../client/Failure.ts"
import type { Place } from "../offline/Restore.ts"
import { unusable } from "./LocalFile.ts"

/**
 * The module that works on the files of a stopped server. It loads SQLite, so only the commands that need it import it.
 */
export const offline = Effect.promise(async () => ({
  ...(await import("../offline/DatabaseFile.ts")),
  ...(await import("../offline/Files.ts")),
  ...(await import("../offline/Restore.ts")),
  ...(await import("../offline/StoppedCopy.ts"))
}))

/** The failures of that module. */
type Trouble =
  | PlatformError
  | {
      readonly _tag:
        | "AuditKeyUnreadable"
        | "BlobNotWritten"
        | "BlobsMissing"
        | "DatabaseInUse"
        | "DataDirectoryInUse"
        | "LockUnusable"
        | "PlaceUnusable"
        | "NoRoom"
        | "NotABoard"
        | "ParcelDamaged"
        | "RevocationsUnreadable"
        | "SchemaTooNew"
        | "CopyFailed"
        | "ParseError"
      readonly message: string
    }

/** Turns them into failures of a command. */
export const troubled =
  (file: string) =>
  (error: Trouble): Failure => {
    switch (error._tag) {
      case "BadArgument":
      case "SystemError":
        return unusable(file, error)
      case "DatabaseInUse":
      case "DataDirectoryInUse":
        return new Blocked({ reason: error.message, remedy: "Stop the server first, then try again" })
      case "NoRoom":
      case "BlobNotWritten":
        return new Misused({ reason: error.message, remedy: "Make room on that disk, then try again" })
      case "NotABoard":
      case "ParcelDamaged":
        return new Misused({ reason: error.message, remedy: "Name a file that muster backup has written" })
      case "BlobsMissing":
        return new Misused({
          reason: error.message,
          remedy: "Put that directory beside the file, or name a file that muster backup has written"
        })
      default:
        return new Misused({ reason: error.message, remedy: "muster doctor finds out what is wrong" })
    }
  }

const variable = (name: string) =>
  Config.string(name).pipe(
    Config.map((value) => value.trim()),
    Config.withDefault(""),
    Effect.orElseSucceed(() => "")
  )

/** Where the server of this machine keeps its board, by the environment that the command shares with it. */
export const placeOf = ({ dataDirectory }: Connection): Effect.Effect<Place, Misused> =>
  Effect.gen(function* () {
    const database = yield* variable("SERVICE_SQLITE_PATH")
    if (database === ":memory:") {
      return yield* new Misused({
        reason: "The board is kept in memory: it has no file",
        remedy: "Set SERVICE_SQLITE_PATH to a file"
      })
    }
    return {
      directory: dataDirectory,
      database: database === "" ? join(dataDirectory, "muster.db") : resolve(database)
    }
  })

/** The same, for commands that write there: a default directory that does not exist is a mistake. */
export const place: Effect.Effect<Place, Misused, FileSystem.FileSystem> = Effect.gen(function* () {
  const found = yield* placeOf(yield* connection)
  const files = yield* FileSystem.FileSystem
  const there = yield* Effect.orElseSucceed(files.exists(found.directory), () => false)
  if (!there && (yield* variable("SERVICE_DATA_DIR")) === "") {
    return yield* new Misused({
      reason: `There is no data directory at ${found.directory}`,
      remedy: "Set SERVICE_DATA_DIR to the directory of the server; a new one is made when you name it"
    })
  }
  return found
})
