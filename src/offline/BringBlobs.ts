import { dirname } from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import { Effect } from "effect"
import { requireRoom } from "../kernel/FreeSpace.ts"
import * as Parcel from "../storage/blobs/Parcel.ts"
import { unpackBlobs } from "../storage/blobs/UnpackBlobs.ts"
import { type Connection, openPlain } from "../storage/Connection.ts"
import { runOn, sql } from "../storage/Sql.ts"
import { keptBlobsOf } from "./KeptBlobs.ts"

/** Writes what a database has besides the bytes of its blobs into another file, which is no longer than that takes. */
const writeWithout = (connection: Connection, lean: string) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    // What breaks off here is copied anew: nothing has to be taken back.
    yield* runOn(connection, sql`PRAGMA journal_mode = OFF`)
    yield* Parcel.remove(connection)
    const [pages] = yield* runOn<{ bytes: number }>(
      connection,
      sql`
        SELECT (page_count - freelist_count) * page_size AS bytes
        FROM pragma_page_count(), pragma_freelist_count(), pragma_page_size()`
    )
    yield* requireRoom(dirname(lean), pages?.bytes ?? 0)
    // Made before SQLite writes to it, so that nobody else can read it for a moment either.
    yield* files.remove(lean, { force: true })
    yield* files.writeFileString(lean, "", { mode: 0o600 })
    yield* runOn(connection, sql`VACUUM INTO ${lean}`)
  })

/**
 * Puts the blobs of a board that comes back where its server looks for them, and takes them out of its database, which
 * lies in `staged` and was copied from `backup`. Gives those that were lost before the backup was made.
 */
export const bringBlobs = (staged: string, backup: string, directory: string) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const lean = `${staged}-lean`
    const { isPacked, lost } = yield* Effect.scoped(
      Effect.gen(function* () {
        const connection = yield* openPlain(staged)
        const lost = yield* unpackBlobs({ connection, shown: backup, beside: keptBlobsOf(backup) }, directory)
        const isPacked = yield* Parcel.isIn(connection)
        if (isPacked) yield* writeWithout(connection, lean)
        return { isPacked, lost }
      })
    )
    if (isPacked) yield* files.rename(lean, staged)
    return lost
  })
