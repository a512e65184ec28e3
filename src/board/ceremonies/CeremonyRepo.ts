import { Effect } from "effect"
import type { Page } from "../../kernel/Paging.ts"
import { columnReader } from "../../storage/JsonColumn.ts"
import { type Compose, firstRow, rows, run, type Sql, sql } from "../../storage/Sql.ts"
import { Ceremony, type CeremonyStatus, type CeremonyType } from "./Ceremony.ts"

const ceremonyOf = columnReader(Ceremony, "ceremonies")

/** Which ceremonies: about a task, of a type, in a status. */
export interface Selection {
  readonly taskId?: string | undefined
  readonly type?: CeremonyType | undefined
  readonly status?: CeremonyStatus | undefined
}

/** The ceremony with an id. */
export const find = (id: string): Effect.Effect<Ceremony | undefined, never, Sql> =>
  Effect.map(
    firstRow<{ id: string; json: string }>(sql`SELECT id, json FROM ceremonies WHERE id = ${id}`),
    (found) => found && ceremonyOf(found.json, found.id)
  )

/** The ceremony of a type that a task waits for. */
export const findPending = (
  taskId: string,
  type: CeremonyType
): Effect.Effect<Ceremony | undefined, never, Sql> =>
  Effect.map(
    firstRow<{ id: string; json: string }>(
      sql`SELECT id, json FROM ceremonies WHERE task_id = ${taskId} AND type = ${type} AND status = 'pending'`
    ),
    (found) => found && ceremonyOf(found.json, found.id)
  )

/** Whether a ceremony of a type was held for a task since the task was last reopened. */
export const isHeld = (taskId: string, type: CeremonyType): Effect.Effect<boolean, never, Sql> =>
  Effect.map(
    firstRow<{ seq: number }>(
      sql`
        SELECT seq FROM ceremonies
        WHERE task_id = ${taskId} AND type = ${type} AND status = 'completed' AND spent = 0 LIMIT 1`
    ),
    (found) => found !== undefined
  )

/** A task that is reopened needs new ceremonies: those that were held count no longer. */
export const spend = (taskId: string): Effect.Effect<void, never, Sql> =>
  run(sql`UPDATE ceremonies SET spent = 1 WHERE task_id = ${taskId} AND status = 'completed' AND spent = 0`)

/** Adds a ceremony. */
export const insert = (ceremony: Ceremony): Effect.Effect<void, never, Sql> =>
  run(
    sql`
      INSERT INTO ceremonies (id, task_id, type, status, json)
      VALUES (${ceremony.id}, ${ceremony.taskId}, ${ceremony.type}, ${ceremony.status},
        ${JSON.stringify(ceremony)})`
  )

/** Writes a changed ceremony. */
export const update = (ceremony: Ceremony): Effect.Effect<void, never, Sql> =>
  run(
    sql`
      UPDATE ceremonies SET status = ${ceremony.status}, json = ${JSON.stringify(ceremony)}
      WHERE id = ${ceremony.id}`
  )

/** Removes everything about a task. */
export const removeAllOf = (taskId: string): Effect.Effect<void, never, Sql> =>
  run(sql`DELETE FROM ceremonies WHERE task_id = ${taskId}`)

const where = (sql: Compose, { status, taskId, type }: Selection) =>
  sql.and([
    ...(taskId === undefined ? [] : [sql`task_id = ${taskId}`]),
    ...(type === undefined ? [] : [sql`type = ${type}`]),
    ...(status === undefined ? [] : [sql`status = ${status}`])
  ])

/** The newest ceremonies of a selection, and how many it has in all. */
export const page = (selection: Selection, limit: number): Effect.Effect<Page<Ceremony>, never, Sql> =>
  Effect.zipWith(
    rows<{ id: string; json: string }>(
      (sql) =>
        sql`SELECT id, json FROM ceremonies WHERE ${where(sql, selection)} ORDER BY seq DESC LIMIT ${limit}`
    ),
    firstRow<{ n: number }>(
      (sql) => sql`SELECT COUNT(*) AS n FROM ceremonies WHERE ${where(sql, selection)}`
    ),
    (found, count) => ({ items: found.map(({ id, json }) => ceremonyOf(json, id)), total: count?.n ?? 0 })
  )
