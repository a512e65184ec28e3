import { hostname } from "node:os"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import { Data, Effect, Schema } from "effect"
import { iso, now } from "../kernel/Time.ts"
import { openLock } from "./Connection.ts"
import { runOn, sql } from "./Sql.ts"

/** Who holds a data directory: written beside the lock, for the message that a second process prints. */
const Holder = Schema.parseJson(
  Schema.Struct({ pid: Schema.Number, host: Schema.String, startedAt: Schema.Number })
)

/** Another process works on this data directory. */
export class DataDirectoryInUse extends Data.TaggedError("DataDirectoryInUse")<{
  readonly directory: string
  readonly holder: string
}> {
  override get message() {
    return `The data directory ${this.directory} is in use by ${this.holder}. Stop that process, or give this one a directory of its own with SERVICE_DATA_DIR.`
  }
}

/**
 * Takes the data directory for the life of the scope. The lock is an exclusive transaction on a tiny SQLite file of
 * its own: the system releases it when the process dies, however it dies.
 */
export const acquire = (directory: string) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const holderFile = path.join(directory, "muster.lock.json")
    const refused = files.readFileString(holderFile).pipe(
      Effect.flatMap(Schema.decode(Holder)),
      Effect.map(({ host, pid, startedAt }) => `process ${pid} on ${host}, running since ${iso(startedAt)}`),
      Effect.orElseSucceed(() => "another process"),
      Effect.flatMap((holder) => new DataDirectoryInUse({ directory, holder }))
    )
    const connection = yield* openLock(path.join(directory, "muster.lock"))
    yield* runOn(connection, sql`BEGIN EXCLUSIVE`).pipe(Effect.catchAllDefect(() => refused))
    const holder = yield* Schema.encode(Holder)({
      pid: process.pid,
      host: hostname(),
      startedAt: yield* now
    })
    yield* files.writeFileString(holderFile, holder, { mode: 0o600 })
  })
