import { Effect } from "effect"
import type { Page } from "../../kernel/Paging.ts"
import { normalized } from "../../kernel/Text.ts"
import { iso } from "../../kernel/Time.ts"
import { type Compose, firstRow, rows, run, type Sql, sql } from "../../storage/Sql.ts"
import { importanceBand, type Observation, type ObservationType } from "./Observation.ts"

/** Which observations: all that hold a text, of a type, about a task. */
export interface Selection {
  readonly holding?: string | undefined
  readonly type?: ObservationType | undefined
  readonly taskId?: string | undefined
}

/** Which part of them, from the newest. */
export interface Part {
  readonly limit: number
  readonly offset?: number | undefined
}

interface ObservationRow {
  readonly id: string
  readonly taskId: string
  readonly type: ObservationType
  readonly content: string
  readonly importance: number
  readonly agent: string | null
  readonly createdBy: string
  readonly createdAt: number
}

const observationOf = ({ agent, createdAt, createdBy, ...row }: ObservationRow): Observation => ({
  ...row,
  importanceBand: importanceBand(row.importance),
  ...(agent === null ? {} : { agent }),
  createdAt: iso(createdAt),
  createdBy
})

/** One spelling for texts that differ in upper and lower case, or in how their accents are encoded. */
const folded = (text: string): string => normalized(text, "NFC").toLowerCase()

/** Adds an observation. */
export const insert = (observation: Observation): Effect.Effect<void, never, Sql> =>
  run(
    sql`
      INSERT INTO observations (id, task_id, type, content, folded, importance, agent, created_by, created_at)
      VALUES (${observation.id}, ${observation.taskId}, ${observation.type}, ${observation.content},
        ${folded(observation.content)}, ${observation.importance}, ${observation.agent ?? null},
        ${observation.createdBy}, ${Date.parse(observation.createdAt)})`
  )

/** Removes an observation and tells which task it was about; undefined when there was none, or not about this task. */
export const remove = (id: string, taskId?: string): Effect.Effect<string | undefined, never, Sql> =>
  Effect.map(
    firstRow<{ taskId: string }>(
      sql`
        DELETE FROM observations WHERE id = ${id} AND task_id = COALESCE(${taskId ?? null}, task_id)
        RETURNING task_id AS taskId`
    ),
    (removed) => removed?.taskId
  )

/** Removes everything about a task. */
export const removeAllOf = (taskId: string): Effect.Effect<void, never, Sql> =>
  run(sql`DELETE FROM observations WHERE task_id = ${taskId}`)

const where = (sql: Compose, { holding, taskId, type }: Selection) =>
  sql.and([
    ...(holding === undefined ? [] : [sql`instr(folded, ${folded(holding)}) > 0`]),
    ...(type === undefined ? [] : [sql`type = ${type}`]),
    ...(taskId === undefined ? [] : [sql`task_id = ${taskId}`])
  ])

/** The newest observations of a selection. */
export const newest = (
  selection: Selection,
  { limit, offset = 0 }: Part
): Effect.Effect<ReadonlyArray<Observation>, never, Sql> =>
  Effect.map(
    rows<ObservationRow>(
      (sql) => sql`
        SELECT id, task_id AS taskId, type, content, importance, agent, created_by AS createdBy,
          created_at AS createdAt
        FROM observations WHERE ${where(sql, selection)} ORDER BY seq DESC LIMIT ${limit} OFFSET ${offset}`
    ),
    (found) => found.map(observationOf)
  )

/** The newest observations of a selection, and how many it has in all. */
export const page = (selection: Selection, part: Part): Effect.Effect<Page<Observation>, never, Sql> =>
  Effect.zipWith(
    newest(selection, part),
    firstRow<{ n: number }>(
      (sql) => sql`SELECT COUNT(*) AS n FROM observations WHERE ${where(sql, selection)}`
    ),
    (items, count) => ({ items, total: count?.n ?? 0 })
  )
