import type { Effect } from "effect"
import { rows, run, type Sql, sql } from "../../storage/Sql.ts"

/** A dependency of a task on one that was not on the board when its line came. */
export interface Pending {
  readonly row: number
  readonly reference: string
}

/** All pending dependencies, in the order in which their tasks came. */
export const pending: Effect.Effect<ReadonlyArray<Pending>, never, Sql> = rows<Pending>(
  sql`SELECT row, reference FROM task_import_pending ORDER BY row, reference`
)

/** Remembers a dependency that can't be resolved yet. */
export const addPending = ({ reference, row }: Pending): Effect.Effect<void, never, Sql> =>
  run(
    sql`INSERT INTO task_import_pending (row, reference) VALUES (${row}, ${reference}) ON CONFLICT DO NOTHING`
  )

/** Forgets a dependency that was resolved, or that must not be. */
export const removePending = ({ reference, row }: Pending): Effect.Effect<void, never, Sql> =>
  run(sql`DELETE FROM task_import_pending WHERE row = ${row} AND reference = ${reference}`)
