import { Effect, Schema } from "effect"
import type { Page } from "../../kernel/Paging.ts"
import { documents } from "../../storage/Documents.ts"
import { columnReader } from "../../storage/JsonColumn.ts"
import type { Past } from "../../storage/Retention.ts"
import { type Compose, firstRow, rows, run, type Sql, sql } from "../../storage/Sql.ts"
import { type ApprovalStatus, RunApproval } from "./RunApproval.ts"

const table = "run_approvals"

const stored = documents(table, RunApproval, (approval) => ({
  task_id: approval.taskId,
  attempt_id: approval.attemptId,
  agent_id: approval.agentId,
  provider_request_id: approval.providerRequestId,
  status: approval.status,
  expires_at: Date.parse(approval.expiresAt),
  updated_at: Date.parse(approval.updatedAt)
}))

export const { find, insert, update } = stored

/** Which approvals; all when empty. */
export interface Selection {
  readonly status?: ApprovalStatus | undefined
  readonly taskId?: string | undefined
  readonly attemptId?: string | undefined
  readonly agent?: string | undefined
}

/** Those that are in a state at a moment: what waits beyond its time is stored as `pending`, and is `expired`. */
const standing = (sql: Compose, status: ApprovalStatus, at: number) => {
  switch (status) {
    case "pending":
      return sql`status = 'pending' AND expires_at > ${at}`
    case "expired":
      return sql`(status = 'expired' OR (status = 'pending' AND expires_at <= ${at}))`
    default:
      return sql`status = ${status}`
  }
}

const where = (sql: Compose, { agent, attemptId, status, taskId }: Selection, at: number) =>
  sql.and([
    ...(taskId === undefined ? [] : [sql`task_id = ${taskId}`]),
    ...(attemptId === undefined ? [] : [sql`attempt_id = ${attemptId}`]),
    ...(agent === undefined ? [] : [sql`agent_id = ${agent}`]),
    ...(status === undefined ? [] : [standing(sql, status, at)])
  ])

/** The newest approvals of a selection as it is at a moment, and how many it has in all. */
export const newest = (
  selection: Selection,
  at: number,
  limit: number
): Effect.Effect<Page<RunApproval>, never, Sql> =>
  Effect.zipWith(
    stored.select((sql) => sql`WHERE ${where(sql, selection, at)} ORDER BY seq DESC LIMIT ${limit}`),
    firstRow<{ n: number }>(
      (sql) => sql`SELECT COUNT(*) AS n FROM run_approvals WHERE ${where(sql, selection, at)}`
    ),
    (items, count) => ({ items, total: count?.n ?? 0 })
  )

/** The approval of a request, if the attempt has made it before. */
export const ofRequest = (
  attemptId: string,
  providerRequestId: string
): Effect.Effect<RunApproval | undefined, never, Sql> =>
  Effect.map(
    stored.select(
      (sql) => sql`WHERE attempt_id = ${attemptId} AND provider_request_id = ${providerRequestId}`
    ),
    ([found]) => found
  )

/** What waits for an attempt, by what is stored. */
export const waitingOf = (attemptId: string): Effect.Effect<ReadonlyArray<RunApproval>, never, Sql> =>
  stored.select((sql) => sql`WHERE attempt_id = ${attemptId} AND status = 'pending' ORDER BY seq`)

/** What still waits although its time is over, the earliest first. */
export const due = (at: number, limit: number): Effect.Effect<ReadonlyArray<RunApproval>, never, Sql> =>
  stored.select(
    (sql) => sql`WHERE status = 'pending' AND expires_at <= ${at} ORDER BY expires_at LIMIT ${limit}`
  )

/** When the next approval that waits runs out, in milliseconds since the epoch. */
export const nextDue: Effect.Effect<number | undefined, never, Sql> = Effect.map(
  firstRow<{ at: number | null }>(
    sql`SELECT MIN(expires_at) AS at FROM run_approvals WHERE status = 'pending'`
  ),
  (found) => found?.at ?? undefined
)

const ResponseData = Schema.Record({ key: Schema.String, value: Schema.Unknown })
const responseOf = columnReader(ResponseData, table, "response")

/** Keeps what an elicitation was answered, for whoever asked. */
export const keepResponse = (
  id: string,
  response: Readonly<Record<string, unknown>>
): Effect.Effect<void, never, Sql> =>
  run(sql`UPDATE run_approvals SET response = ${JSON.stringify(response)} WHERE id = ${id}`)

/** What an elicitation was answered. */
export const responseTo = (
  id: string
): Effect.Effect<Readonly<Record<string, unknown>> | undefined, never, Sql> =>
  Effect.map(
    firstRow<{ response: string | null }>(sql`SELECT response FROM run_approvals WHERE id = ${id}`),
    (found) => (found === undefined || found.response === null ? undefined : responseOf(found.response, id))
  )

/** Removes everything about a task. */
export const removeAllOf = (taskId: string): Effect.Effect<void, never, Sql> =>
  run(sql`DELETE FROM run_approvals WHERE task_id = ${taskId}`)

/**
 * Deletes up to `size` approvals that nothing waits for, unchanged since `before`, and not among the `newest`; gives how
 * many.
 */
export const forgetOld = ({ before, newest }: Past, size: number): Effect.Effect<number, never, Sql> =>
  Effect.map(
    rows(
      sql`
        DELETE FROM run_approvals WHERE seq IN (
          SELECT seq FROM run_approvals
          WHERE status <> 'pending' AND updated_at < ${before} AND expires_at < ${before}
            AND seq <= (SELECT MAX(seq) FROM run_approvals) - ${newest}
          ORDER BY seq LIMIT ${size})
        RETURNING seq`
    ),
    ({ length }) => length
  )
