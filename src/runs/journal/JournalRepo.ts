import { Effect } from "effect"
import { firstRow, rows, run, type Sql, sql } from "../../storage/Sql.ts"
import type { Journal } from "./RunStream.ts"

/** A journal, and how many bytes of payloads are stored for it. */
export interface OpenJournal extends Journal {
  readonly storedBytes: number
}

/** Opens the journal of an attempt. */
export const open = (journal: Journal): Effect.Effect<void, never, Sql> =>
  run(
    sql`
      INSERT INTO run_journals (attempt_id, task_id, run_id, provider, adapter, session_id)
      VALUES (${journal.attemptId}, ${journal.taskId}, ${journal.runId}, ${journal.provider},
        ${journal.adapter}, ${journal.sessionId})`
  )

/** The journal of an attempt. */
export const find = (attemptId: string): Effect.Effect<OpenJournal | undefined, never, Sql> =>
  firstRow<OpenJournal>(
    sql`
      SELECT attempt_id AS attemptId, task_id AS taskId, run_id AS runId, provider, adapter,
        session_id AS sessionId, stored_bytes AS storedBytes
      FROM run_journals WHERE attempt_id = ${attemptId}`
  )

/** Notes how many bytes are stored now; false when there is no such journal any more. */
export const lengthen = (attemptId: string, storedBytes: number): Effect.Effect<boolean, never, Sql> =>
  Effect.map(
    rows<{ attemptId: string }>(
      sql`
        UPDATE run_journals SET stored_bytes = ${storedBytes} WHERE attempt_id = ${attemptId}
        RETURNING attempt_id AS attemptId`
    ),
    (found) => found.length > 0
  )

/** Takes away the journals of a task, and gives their attempts. */
export const forget = (
  taskId: string
): Effect.Effect<ReadonlyArray<{ readonly attemptId: string }>, never, Sql> =>
  rows(sql`DELETE FROM run_journals WHERE task_id = ${taskId} RETURNING attempt_id AS attemptId`)
