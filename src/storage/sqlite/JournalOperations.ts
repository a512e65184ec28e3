import { Effect, Schema } from "effect"
import { columnReader } from "../JsonColumn.ts"
import { singleton } from "../Singleton.ts"
import { firstRow, run, type Sql, sql } from "../Sql.ts"
import { JournalOperation, JournalOverride } from "./JournalMode.ts"

const storedOverride = singleton("journal-override", Schema.NullOr(JournalOverride))

interface Stored {
  readonly id: string
  readonly json: string
}

const readOperation = columnReader(JournalOperation, "journal_operations")

const operationOf = (row: Stored | undefined): JournalOperation | undefined =>
  row && readOperation(row.json, row.id)

/** The operation that waits for the next start. There is one at the most. */
export const scheduled: Effect.Effect<JournalOperation | undefined, never, Sql> = Effect.map(
  firstRow<Stored>(sql`SELECT id, json FROM journal_operations WHERE state = 'scheduled'`),
  operationOf
)

/** The newest operation that is over. */
export const latestSettled: Effect.Effect<JournalOperation | undefined, never, Sql> = Effect.map(
  firstRow<Stored>(
    sql`SELECT id, json FROM journal_operations WHERE state <> 'scheduled' ORDER BY seq DESC LIMIT 1`
  ),
  operationOf
)

/** One operation. */
export const find = (id: string): Effect.Effect<JournalOperation | undefined, never, Sql> =>
  Effect.map(firstRow<Stored>(sql`SELECT id, json FROM journal_operations WHERE id = ${id}`), operationOf)

/** Adds an operation. */
export const insert = (operation: JournalOperation): Effect.Effect<void, never, Sql> =>
  run(
    sql`
      INSERT INTO journal_operations (id, state, json)
      VALUES (${operation.id}, ${operation.state}, ${JSON.stringify(operation)})`
  )

/** Stores what became of an operation. */
export const update = (operation: JournalOperation): Effect.Effect<void, never, Sql> =>
  run(
    sql`
      UPDATE journal_operations SET state = ${operation.state}, json = ${JSON.stringify(operation)}
      WHERE id = ${operation.id}`
  )

/** The override that stands, in force or not. */
export const override: Effect.Effect<JournalOverride | undefined, never, Sql> = Effect.map(
  storedOverride.read,
  (stored) => stored ?? undefined
)

/** Sets the override, or takes it away. */
export const writeOverride = (value: JournalOverride | undefined): Effect.Effect<void, never, Sql> =>
  storedOverride.write(value ?? null)

/** Whether this database is old enough to know of journal operations: a new one, and that of an old version, is not. */
export const isKnown: Effect.Effect<boolean, never, Sql> = Effect.map(
  firstRow<{ name: string }>(
    sql`SELECT name FROM sqlite_master WHERE type = 'table' AND name = 'journal_operations'`
  ),
  (row) => row !== undefined
)
