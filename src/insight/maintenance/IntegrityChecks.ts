import { createRequire } from "node:module"
import { Worker as Thread } from "node:worker_threads"
import { Context, Duration, Effect, Layer } from "effect"
import { now, nowIso } from "../../kernel/Time.ts"
import * as Worker from "../../kernel/Worker.ts"
import * as Singleton from "../../storage/Singleton.ts"
import { Storage } from "../../storage/Storage.ts"
import type { IntegrityCheck } from "./SqliteStorage.ts"

const name = "integrity-check"

/** How often the clock is looked at, how often the database is checked, and how long that may take. */
const nap = Duration.minutes(1)
const period = Duration.hours(24)
const patience = Duration.minutes(2)

/**
 * What the thread runs: SQLite reads every page, on a connection of its own. The checks of pages and indexes keep a
 * processor busy for seconds on a large board, so they must not run where requests are answered.
 */
const script = `
const { parentPort, workerData } = require("node:worker_threads")
const Database = require(workerData.driver)
const database = new Database(workerData.filename, { readonly: true, fileMustExist: true })
parentPort.postMessage(database.pragma("quick_check(1)", { simple: true }))
database.close()
`

/** Checks a database file; `ok` is SQLite's word for a good one. */
const quickCheck = (filename: string): Effect.Effect<IntegrityCheck["result"]> =>
  Effect.async<IntegrityCheck["result"]>((resume) => {
    const driver = createRequire(import.meta.url).resolve("better-sqlite3")
    const thread = new Thread(script, { eval: true, workerData: { driver, filename } })
    thread.once("message", (found) => resume(Effect.succeed(found === "ok" ? "ok" : "damaged")))
    thread.once("error", () => resume(Effect.succeed("failed")))
    return Effect.promise(() => thread.terminate())
  }).pipe(
    Effect.timeoutTo({
      duration: patience,
      onSuccess: (result) => result,
      onTimeout: () => "failed" as const
    })
  )

/**
 * Looks for damage in the database. In WAL a reader holds nobody up, so a check runs soon after the start and once a
 * day. In delete mode it would hold up every write: there the check waits for somebody to go back to WAL.
 */
export class IntegrityChecks extends Context.Tag("muster/IntegrityChecks")<
  IntegrityChecks,
  {
    /** What the last check found; undefined before the first one. */
    readonly last: Effect.Effect<IntegrityCheck | undefined>
    /** Checks the database now. */
    readonly check: Effect.Effect<IntegrityCheck | undefined>
  }
>() {
  static readonly layer = Layer.scoped(
    IntegrityChecks,
    Effect.gen(function* () {
      const storage = yield* Storage
      const { filename, journalMode } = storage.posture
      const last = storage.read(Singleton.read<IntegrityCheck>(name))

      const check = Effect.gen(function* () {
        if (filename === undefined || journalMode !== "wal") return undefined
        const startedAt = yield* now
        const result = yield* quickCheck(filename)
        const found: IntegrityCheck = {
          checkedAt: yield* nowIso,
          result,
          durationMs: Math.max(0, (yield* now) - startedAt)
        }
        yield* storage.write(Singleton.write(name, found))
        if (result === "damaged") {
          yield* Effect.logError(
            "The database is damaged: stop the server and go back to a backup with muster restore FILE"
          )
        }
        return found
      })

      const round = Effect.gen(function* () {
        yield* Effect.sleep(nap)
        const before = yield* last
        const age = before === undefined ? undefined : (yield* now) - Date.parse(before.checkedAt)
        if (age === undefined || age < 0 || age >= Duration.toMillis(period)) yield* check
      })
      if (filename !== undefined && journalMode === "wal") yield* Worker.start("integrity-check", round)
      return IntegrityChecks.of({ last, check })
    })
  )
}
