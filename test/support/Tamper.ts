import { join } from "node:path"
import Database from "better-sqlite3"
import { Effect } from "effect"

/** Changes the database of a directory behind the server's back. */
export const tamper = (directory: string, statement: string): Effect.Effect<void> =>
  Effect.sync(() => {
    const database = new Database(join(directory, "muster.db"))
    database.exec(statement)
    database.close()
  })
