import type { Fragment } from "@effect/sql/Statement"
import { Effect } from "effect"
import { type Compose, firstRow, rows, run, type Sql, sql } from "../../storage/Sql.ts"
import type { Recovery } from "./RunRecovery.ts"

const select = (tail: (sql: Compose) => Fragment): Effect.Effect<ReadonlyArray<Recovery>, never, Sql> =>
  rows<Recovery>(
    (sql) => sql`
      SELECT id, task_id AS taskId, parent_attempt_id AS parentAttemptId, child_attempt_id AS childAttemptId, state,
        reason, attempt_number AS attemptNumber, scheduled_for AS scheduledFor, created_at AS createdAt,
        updated_at AS updatedAt
      FROM run_recoveries ${tail(sql)}`
  )

const first = (tail: (sql: Compose) => Fragment): Effect.Effect<Recovery | undefined, never, Sql> =>
  Effect.map(select(tail), ([found]) => found)

/** The recovery with an id. */
export const find = (id: string): Effect.Effect<Recovery | undefined, never, Sql> =>
  first((sql) => sql`WHERE id = ${id}`)

/** The recovery of an attempt. */
export const ofParent = (attemptId: string): Effect.Effect<Recovery | undefined, never, Sql> =>
  first((sql) => sql`WHERE parent_attempt_id = ${attemptId}`)

/** The newest recovery of a task. */
export const latestOf = (taskId: string): Effect.Effect<Recovery | undefined, never, Sql> =>
  first((sql) => sql`WHERE task_id = ${taskId} ORDER BY seq DESC LIMIT 1`)

/** Those whose time has come, the earliest first; one that was being launched when its server died is among them. */
export const due = (at: number, limit: number): Effect.Effect<ReadonlyArray<Recovery>, never, Sql> =>
  select(
    (sql) => sql`
      WHERE state IN ('scheduled', 'launching') AND scheduled_for <= ${at} ORDER BY scheduled_for LIMIT ${limit}`
  )

/** When the next one is due, in milliseconds since the epoch. */
export const nextDue: Effect.Effect<number | undefined, never, Sql> = Effect.map(
  firstRow<{ at: number | null }>(
    sql`SELECT MIN(scheduled_for) AS at FROM run_recoveries WHERE state IN ('scheduled', 'launching')`
  ),
  (found) => found?.at ?? undefined
)

export const insert = (recovery: Recovery): Effect.Effect<void, never, Sql> =>
  run(
    sql`
      INSERT INTO run_recoveries (id, task_id, parent_attempt_id, child_attempt_id, state, reason, attempt_number,
        scheduled_for, created_at, updated_at)
      VALUES (${recovery.id}, ${recovery.taskId}, ${recovery.parentAttemptId}, ${recovery.childAttemptId},
        ${recovery.state}, ${recovery.reason}, ${recovery.attemptNumber}, ${recovery.scheduledFor},
        ${recovery.createdAt}, ${recovery.updatedAt})`
  )

/** Writes what changes of a recovery. */
export const update = (recovery: Recovery): Effect.Effect<void, never, Sql> =>
  run(
    sql`
      UPDATE run_recoveries SET state = ${recovery.state}, reason = ${recovery.reason},
        child_attempt_id = ${recovery.childAttemptId}, scheduled_for = ${recovery.scheduledFor},
        updated_at = ${recovery.updatedAt}
      WHERE id = ${recovery.id}`
  )

/** Takes away what is kept about a task. */
export const forget = (taskId: string): Effect.Effect<void, never, Sql> =>
  run(sql`DELETE FROM run_recoveries WHERE task_id = ${taskId}`)
