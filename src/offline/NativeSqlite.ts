import Database from "better-sqlite3"
import { Effect } from "effect"

/** Opens a database that is nowhere, and closes it: what it takes is the compiled part of SQLite's driver. */
export const openNothing = Effect.try(() => {
  new Database(":memory:").close()
})
