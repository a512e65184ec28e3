import { hostname } from "node:os"
import { basename, dirname, join } from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import { Data, Effect, Schema } from "effect"
import { codeOf } from "../../kernel/FileTrouble.ts"
import { iso, now } from "../../kernel/Time.ts"
import { openLock } from "../Connection.ts"
import { runOn, sql } from "../Sql.ts"
import { directoryUnusable, type PlaceUnusable } from "./PlaceUnusable.ts"

/** Who holds a lock: written beside it, for the message that a second process prints. */
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

/** Another process works on this database, out of a data directory of its own. */
export class DatabaseInUse extends Data.TaggedError("DatabaseInUse")<{
  readonly file: string
  readonly holder: string
}> {
  override get message() {
    return `The database ${this.file} is in use by ${this.holder}. Stop that process, or give this one a database of its own with SERVICE_SQLITE_PATH.`
  }
}

/** The file that stands for a lock can't be one. It holds nothing. */
export class LockUnusable extends Data.TaggedError("LockUnusable")<{ readonly file: string }> {
  override get message() {
    return `${this.file} is damaged: it stands for a lock, and something else lies in it. Make sure that no server runs here, and remove it; it is made anew.`
  }
}

const lockOf = (directory: string): string => join(directory, "muster.lock")

/**
 * Takes a lock for the life of the scope: an exclusive transaction on a tiny SQLite file of its own. The system releases
 * it when the process dies, however it dies.
 */
const take = <E>(variable: string, file: string, inUse: (holder: string) => E) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const holderFile = `${file}.json`
    const unusable = directoryUnusable(variable, file)
    const refused = files.readFileString(holderFile).pipe(
      Effect.flatMap(Schema.decode(Holder)),
      Effect.map(({ host, pid, startedAt }) => `process ${pid} on ${host}, running since ${iso(startedAt)}`),
      Effect.orElseSucceed(() => "another process"),
      Effect.flatMap((holder) => Effect.fail(inUse(holder)))
    )
    yield* Effect.mapError(files.writeFileString(file, "", { flag: "a", mode: 0o600 }), unusable)
    yield* Effect.flatMap(openLock(file), (connection) => runOn(connection, sql`BEGIN EXCLUSIVE`)).pipe(
      Effect.catchAllDefect((defect): Effect.Effect<never, E | LockUnusable | PlaceUnusable> => {
        const code = codeOf(defect) ?? ""
        if (/^SQLITE_(BUSY|LOCKED)/.test(code)) return refused
        if (/^SQLITE_(NOTADB|CORRUPT)/.test(code)) return new LockUnusable({ file })
        return code.startsWith("SQLITE_") ? Effect.fail(unusable(defect)) : Effect.die(defect)
      })
    )
    const holder = yield* Schema.encode(Holder)({
      pid: process.pid,
      host: hostname(),
      startedAt: yield* now
    })
    yield* Effect.mapError(
      files.writeFileString(holderFile, holder, { mode: 0o600 }),
      directoryUnusable(variable, holderFile)
    )
  })

/** Takes the data directory for the life of the scope. */
export const acquire = (directory: string) =>
  take("SERVICE_DATA_DIR", lockOf(directory), (holder) => new DataDirectoryInUse({ directory, holder }))

/**
 * Takes a database for the life of the scope, by its real name, when it has another lock than the data directory that is
 * held already: two data directories may name one file.
 */
export const acquireDatabase = (file: string, directory: string) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const lock = join(dirname(file), `${basename(file).replace(/\.db$/, "")}.lock`)
    if (lock === lockOf(yield* files.realPath(directory))) return
    yield* take("SERVICE_SQLITE_PATH", lock, (holder) => new DatabaseInUse({ file, holder }))
  })
