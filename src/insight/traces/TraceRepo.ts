import { Effect } from "effect"
import { iso } from "../../kernel/Time.ts"
import { columnReader } from "../../storage/JsonColumn.ts"
import type { Past } from "../../storage/Retention.ts"
import { type Query, rows, run, type Sql, sql } from "../../storage/Sql.ts"
import { TraceEntry } from "./Trace.ts"

const entryOf = columnReader(TraceEntry, "traces")

const entries = (query: Query): Effect.Effect<ReadonlyArray<TraceEntry>, never, Sql> =>
  Effect.map(rows<{ id: string; json: string }>(query), (found) =>
    found.map(({ id, json }) => entryOf(json, id))
  )

/** Adds an entry. */
export const insert = (entry: TraceEntry): Effect.Effect<void, never, Sql> =>
  run(
    sql`
      INSERT INTO traces (id, attempt_id, task_id, json)
      VALUES (${entry.id}, ${entry.attemptId}, ${entry.taskId}, ${JSON.stringify(entry)})`
  )

/** The first entries of an attempt, in their order. */
export const ofAttempt = (attemptId: string, limit: number) =>
  entries(sql`SELECT id, json FROM traces WHERE attempt_id = ${attemptId} ORDER BY seq LIMIT ${limit}`)

/** The newest entries about a task. */
export const ofTask = (taskId: string, limit: number) =>
  entries(sql`SELECT id, json FROM traces WHERE task_id = ${taskId} ORDER BY seq DESC LIMIT ${limit}`)

/** The entry with an id, in a list. */
export const withId = (id: string) => entries(sql`SELECT id, json FROM traces WHERE id = ${id}`)

/** Removes everything about a task. */
export const removeAllOf = (taskId: string): Effect.Effect<void, never, Sql> =>
  run(sql`DELETE FROM traces WHERE task_id = ${taskId}`)

/** Takes away those of the oldest entries that lie in the past, and gives how many those were. */
export const forgetOld = ({ before, newest }: Past, size: number): Effect.Effect<number, never, Sql> =>
  Effect.map(
    rows(
      sql`
        DELETE FROM traces WHERE json_extract(json, '$.createdAt') < ${iso(before)} AND seq IN (
          SELECT seq FROM traces WHERE seq <= (SELECT MAX(seq) FROM traces) - ${newest}
          ORDER BY seq LIMIT ${size})
        RETURNING seq`
    ),
    ({ length }) => length
  )
