import { Effect } from "effect"
import { parseStored } from "../../kernel/Json.ts"
import { iso } from "../../kernel/Time.ts"
import { firstRow, run, type Sql, sql } from "../../storage/Sql.ts"
import type { Checkpoint } from "./Checkpoint.ts"

interface CheckpointRow {
  readonly taskId: string
  readonly state: string
  readonly createdAt: number
  readonly expiresAt: number
  readonly resumeCount: number
}

const checkpointOf = (row: CheckpointRow): Checkpoint => ({
  ...row,
  state: parseStored<unknown>(row.state),
  createdAt: iso(row.createdAt),
  expiresAt: iso(row.expiresAt)
})

const orNone = (row: CheckpointRow | undefined): Checkpoint | undefined => row && checkpointOf(row)

/** Saves a checkpoint in the place of the task's last one. */
export const save = (checkpoint: Checkpoint): Effect.Effect<void, never, Sql> =>
  run(
    sql`
      INSERT INTO checkpoints (task_id, state, created_at, expires_at, resume_count)
      VALUES (${checkpoint.taskId}, ${JSON.stringify(checkpoint.state)}, ${Date.parse(checkpoint.createdAt)},
        ${Date.parse(checkpoint.expiresAt)}, ${checkpoint.resumeCount})
      ON CONFLICT (task_id) DO UPDATE SET state = excluded.state, created_at = excluded.created_at,
        expires_at = excluded.expires_at, resume_count = excluded.resume_count`
  )

/** The checkpoint of a task, unless it has expired by now. */
export const find = (taskId: string, at: number): Effect.Effect<Checkpoint | undefined, never, Sql> =>
  Effect.map(
    firstRow<CheckpointRow>(
      sql`
        SELECT task_id AS taskId, state, created_at AS createdAt, expires_at AS expiresAt,
          resume_count AS resumeCount
        FROM checkpoints WHERE task_id = ${taskId} AND expires_at > ${at}`
    ),
    orNone
  )

/** The same, counted as a resume. */
export const resume = (taskId: string, at: number): Effect.Effect<Checkpoint | undefined, never, Sql> =>
  Effect.map(
    firstRow<CheckpointRow>(
      sql`
        UPDATE checkpoints SET resume_count = resume_count + 1
        WHERE task_id = ${taskId} AND expires_at > ${at}
        RETURNING task_id AS taskId, state, created_at AS createdAt, expires_at AS expiresAt,
          resume_count AS resumeCount`
    ),
    orNone
  )

/** Removes the checkpoint of a task, and tells whether there was one that had not expired. */
export const remove = (taskId: string, at: number): Effect.Effect<boolean, never, Sql> =>
  Effect.map(
    firstRow<{ expiresAt: number }>(
      sql`DELETE FROM checkpoints WHERE task_id = ${taskId} RETURNING expires_at AS expiresAt`
    ),
    (removed) => removed !== undefined && removed.expiresAt > at
  )

/** Removes the checkpoint of a task, if there is one. */
export const removeOf = (taskId: string): Effect.Effect<void, never, Sql> =>
  run(sql`DELETE FROM checkpoints WHERE task_id = ${taskId}`)

/** Removes what has expired. */
export const removeExpired = (at: number): Effect.Effect<void, never, Sql> =>
  run(sql`DELETE FROM checkpoints WHERE expires_at <= ${at}`)
