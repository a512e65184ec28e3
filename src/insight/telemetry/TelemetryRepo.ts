import { Effect } from "effect"
import { columnReader } from "../../storage/JsonColumn.ts"
import type { Past } from "../../storage/Retention.ts"
import { type Compose, firstRow, rows, run, type Sql, sql } from "../../storage/Sql.ts"
import { TelemetryEvent, type TelemetryType } from "./TelemetryEvent.ts"

/** Which events: of a type, of a task, and whether the internal ones are among them. */
export interface Selection {
  readonly type?: TelemetryType | undefined
  readonly taskId?: string | undefined
  readonly internal: boolean
}

/** An event as storage holds it. */
export interface TelemetryRow {
  readonly seq: number
  readonly json: string
}

const eventOf = columnReader(TelemetryEvent, "telemetry")

/** Adds an event. */
export const insert = (
  event: TelemetryEvent,
  identity: string | undefined
): Effect.Effect<void, never, Sql> =>
  run(
    sql`
      INSERT INTO telemetry (id, type, task_id, created_at, identity, json)
      VALUES (${event.id}, ${event.type}, ${event.taskId}, ${Date.parse(event.timestamp)}, ${identity ?? null},
        ${JSON.stringify(event)})`
  )

/** The event with an identity. */
export const withIdentity = (identity: string): Effect.Effect<TelemetryEvent | undefined, never, Sql> =>
  Effect.map(
    firstRow<{ id: string; json: string }>(sql`SELECT id, json FROM telemetry WHERE identity = ${identity}`),
    (found) => found && eventOf(found.json, found.id)
  )

/** When the newest event of a type was recorded for a task, in milliseconds since the epoch. */
export const lastOf = (type: TelemetryType, taskId: string): Effect.Effect<number | undefined, never, Sql> =>
  Effect.map(
    firstRow<{ at: number }>(
      sql`
        SELECT created_at AS at FROM telemetry WHERE task_id = ${taskId} AND type = ${type}
        ORDER BY seq DESC LIMIT 1`
    ),
    (found) => found?.at
  )

const where = (sql: Compose, { internal, taskId, type }: Selection) =>
  sql.and([
    ...(internal ? [] : [sql`type <> 'network.egress'`]),
    ...(type === undefined ? [] : [sql`type = ${type}`]),
    ...(taskId === undefined ? [] : [sql`task_id = ${taskId}`])
  ])

/** The newest events of a selection, below a cursor if there is one. */
export const newest = (
  selection: Selection,
  limit: number,
  below: number = Number.MAX_SAFE_INTEGER
): Effect.Effect<ReadonlyArray<TelemetryRow>, never, Sql> =>
  rows<TelemetryRow>(
    (sql) => sql`
      SELECT seq, json FROM telemetry WHERE ${where(sql, selection)} AND seq < ${below}
      ORDER BY seq DESC LIMIT ${limit}`
  )

/** How many events there are of one type. */
export interface TypeCount {
  readonly type: TelemetryType
  readonly n: number
}

/** How many events of each type a selection has. */
export const counts = (selection: Selection): Effect.Effect<ReadonlyArray<TypeCount>, never, Sql> =>
  rows<TypeCount>(
    (sql) => sql`
      SELECT type, COUNT(*) AS n FROM telemetry WHERE ${where(sql, selection)} GROUP BY type ORDER BY type`
  )

/** When the newest event of a selection was recorded, in milliseconds since the epoch. */
export const lastAt = (selection: Selection): Effect.Effect<number | undefined, never, Sql> =>
  Effect.map(
    firstRow<{ at: number }>(
      (sql) => sql`
        SELECT created_at AS at FROM telemetry WHERE ${where(sql, selection)} ORDER BY seq DESC LIMIT 1`
    ),
    (found) => found?.at
  )

/** Takes away those of the oldest events that lie in the past, and gives how many those were. */
export const forgetOld = ({ before, newest }: Past, size: number): Effect.Effect<number, never, Sql> =>
  Effect.map(
    rows(
      sql`
        DELETE FROM telemetry WHERE created_at < ${before} AND seq IN (
          SELECT seq FROM telemetry WHERE seq <= (SELECT MAX(seq) FROM telemetry) - ${newest}
          ORDER BY seq LIMIT ${size})
        RETURNING seq`
    ),
    ({ length }) => length
  )
