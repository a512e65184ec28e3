import { Effect } from "effect"
import { firstRow, rows, run, type Sql, sql } from "../../storage/Sql.ts"
import { laneOf, type TaskStatus } from "./Task.ts"

/** How many tasks stand in a column of the board. */
export const columnSize = (status: TaskStatus): Effect.Effect<number, never, Sql> =>
  Effect.map(
    firstRow<{ size: number | null }>(
      sql`SELECT MAX(position) + 1 AS size FROM tasks WHERE archived = 0 AND lane = ${laneOf(status)}`
    ),
    (found) => found?.size ?? 0
  )

/** Makes room in a column: everything from a position on shifts down by one. */
export const openGap = (status: TaskStatus, position: number): Effect.Effect<void, never, Sql> =>
  run(
    sql`
      UPDATE tasks SET position = position + 1
      WHERE archived = 0 AND lane = ${laneOf(status)} AND position >= ${position}`
  )

/** Closes the gap that a task leaves behind: everything after its position shifts up by one. */
export const closeGap = (status: TaskStatus, position: number): Effect.Effect<void, never, Sql> =>
  run(
    sql`
      UPDATE tasks SET position = position - 1
      WHERE archived = 0 AND lane = ${laneOf(status)} AND position > ${position}`
  )

/** Puts a row at a position, without touching its document. */
export const place = (row: number, position: number): Effect.Effect<void, never, Sql> =>
  run(sql`UPDATE tasks SET position = ${position} WHERE row = ${row}`)

/** The ids of a column, in the order of the board. */
export const orderedIds = (
  status: TaskStatus
): Effect.Effect<ReadonlyArray<{ readonly row: number; readonly id: string }>, never, Sql> =>
  rows<{ row: number; id: string }>(
    sql`
      SELECT row, id FROM tasks WHERE archived = 0 AND lane = ${laneOf(status)} ORDER BY position, row`
  )
