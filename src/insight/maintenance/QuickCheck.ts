import { createRequire } from "node:module"
import { Worker as Thread } from "node:worker_threads"
import { Duration, Effect } from "effect"

/** How long a check may take. */
const patience = Duration.minutes(2)

/**
 * What the thread runs: SQLite reads every page, on a connection of its own. The checks of pages and indexes keep a
 * processor busy for seconds on a large board, so they must not run where requests are answered.
 */
const script = `
const { parentPort, workerData } = require("node:worker_threads")
const Database = require(workerData.driver)
const check = () => {
  const database = new Database(workerData.filename, { readonly: true, fileMustExist: true })
  try {
    return database.pragma("quick_check(1)", { simple: true }) === "ok" ? "ok" : "damaged"
  } finally {
    database.close()
  }
}
const verdict = () => {
  try {
    return check()
  } catch (error) {
    return /^SQLITE_(CORRUPT|NOTADB)/.test(error.code) ? "damaged" : "failed"
  }
}
parentPort.postMessage(verdict())
`

/** `damaged`: the pages contradict one another, or are none. `failed`: the check could not be made. */
export type Verdict = "ok" | "damaged" | "failed"

const isVerdict = (value: unknown): value is Verdict =>
  value === "ok" || value === "damaged" || value === "failed"

/** Checks the pages of a database file, which may be in use. */
export const quickCheck = (filename: string): Effect.Effect<Verdict> =>
  Effect.async<Verdict>((resume) => {
    const driver = createRequire(import.meta.url).resolve("better-sqlite3")
    const thread = new Thread(script, { eval: true, workerData: { driver, filename } })
    thread.once("message", (found) => resume(Effect.succeed(isVerdict(found) ? found : "failed")))
    thread.once("error", () => resume(Effect.succeed("failed")))
    return Effect.promise(() => thread.terminate())
  }).pipe(
    Effect.timeoutTo({
      duration: patience,
      onSuccess: (result) => result,
      onTimeout: () => "failed" as const
    })
  )
