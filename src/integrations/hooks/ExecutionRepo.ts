import { Effect } from "effect"
import type { Page } from "../../kernel/Paging.ts"
import { iso } from "../../kernel/Time.ts"
import { columnReader } from "../../storage/JsonColumn.ts"
import type { Past } from "../../storage/Retention.ts"
import { type Compose, firstRow, moves, rows, run, type Sql, sql } from "../../storage/Sql.ts"
import type { Execution, ExecutionStatus } from "./Execution.ts"
import { Facts } from "./HookFacts.ts"

const factsOf = columnReader(Facts, "hook_executions", "facts")

/** How many deliveries of one hook may wait; the queue is checked now and then, so there may be a few more. */
export const queueLimit = 1_000

interface ExecutionRow {
  readonly id: string
  readonly hookId: string
  readonly event: Execution["event"]
  readonly status: ExecutionStatus
  readonly attempts: number
  readonly statusCode: number | null
  readonly error: string | null
  readonly durationMs: number
  readonly createdAt: number
  readonly startedAt: number
  readonly nextAt: number | null
}

const executionOf = ({
  createdAt,
  error,
  nextAt,
  startedAt,
  statusCode,
  ...row
}: ExecutionRow): Execution => ({
  ...row,
  ...(statusCode === null ? {} : { statusCode }),
  ...(error === null ? {} : { error }),
  createdAt: iso(createdAt),
  startedAt: iso(startedAt),
  ...(nextAt === null ? {} : { nextAttemptAt: iso(nextAt) })
})

/** Which executions to list; all when empty. */
export interface Selection {
  readonly hookId?: string | undefined
  readonly status?: ExecutionStatus | undefined
}

const where = (sql: Compose, { hookId, status }: Selection) =>
  sql.and([
    ...(hookId === undefined ? [] : [sql`hook_id = ${hookId}`]),
    ...(status === undefined ? [] : [sql`status = ${status}`])
  ])

/** The newest executions of a selection, and how many it has in all. */
export const newest = (selection: Selection, limit: number): Effect.Effect<Page<Execution>, never, Sql> =>
  Effect.zipWith(
    rows<ExecutionRow>(
      (sql) => sql`
        SELECT id, hook_id AS hookId, event, status, attempts, status_code AS statusCode, error,
          duration_ms AS durationMs, created_at AS createdAt, started_at AS startedAt, next_at AS nextAt
        FROM hook_executions WHERE ${where(sql, selection)} ORDER BY seq DESC LIMIT ${limit}`
    ),
    firstRow<{ n: number }>(
      (sql) => sql`SELECT COUNT(*) AS n FROM hook_executions WHERE ${where(sql, selection)}`
    ),
    (found, count) => ({ items: found.map(executionOf), total: count?.n ?? 0 })
  )

/** How many deliveries are queued between two checks of the queues' lengths: a check costs as much as many of them. */
const trimInterval = 64

/** The stream that a queued delivery moves: the worker waits for it. */
export const queue = "webhook-deliveries"

/** Queues a delivery. When its hook has too many already, the oldest of them are dropped, a few events late. */
export const enqueue = (
  delivery: { readonly id: string; readonly hookId: string; readonly event: string; readonly facts: Facts },
  at: number
): Effect.Effect<void, never, Sql> =>
  Effect.gen(function* () {
    const [queued] = yield* rows<{ seq: number }>(
      sql`
        INSERT INTO hook_executions (id, hook_id, event, status, attempts, duration_ms, created_at, started_at,
          next_at, facts)
        VALUES (${delivery.id}, ${delivery.hookId}, ${delivery.event}, 'queued', 0, 0, ${at}, ${at}, ${at},
          ${JSON.stringify(delivery.facts)}) RETURNING seq`
    )
    if ((queued?.seq ?? 0) % trimInterval === 0) yield* trim
    yield* moves(queue)
  })

/** Drops what is too old in queues that are too long. */
const trim: Effect.Effect<void, never, Sql> = Effect.gen(function* () {
  const tooLong = yield* rows<{ hookId: string; n: number }>(
    sql`
      SELECT hook_id AS hookId, COUNT(*) AS n FROM hook_executions WHERE next_at IS NOT NULL
      GROUP BY hook_id HAVING n > ${queueLimit}`
  )
  for (const { hookId, n } of tooLong) {
    yield* run(
      sql`
        UPDATE hook_executions SET status = 'dropped', error = 'queue-full', next_at = NULL
        WHERE seq IN (
          SELECT seq FROM hook_executions INDEXED BY hook_executions_waiting
          WHERE hook_id = ${hookId} AND next_at IS NOT NULL ORDER BY seq LIMIT ${n - queueLimit})`
    )
  }
})

/** A delivery whose time has come. */
export interface Due {
  readonly id: string
  readonly hookId: string
  readonly event: Execution["event"]
  readonly attempts: number
  readonly facts: Facts
}

/** The first due delivery of each hook. */
export const due = (at: number): Effect.Effect<ReadonlyArray<Due>, never, Sql> =>
  Effect.map(
    rows<{
      readonly id: string
      readonly hookId: string
      readonly event: Execution["event"]
      readonly attempts: number
      readonly facts: string
    }>(
      // One index lookup for each hook: the worker asks after every commit, however many deliveries wait.
      sql`
        SELECT e.id, e.hook_id AS hookId, e.event, e.attempts, e.facts FROM hooks h JOIN hook_executions e
        ON e.seq = (
          SELECT seq FROM hook_executions WHERE hook_id = h.id AND next_at IS NOT NULL AND next_at <= ${at}
          ORDER BY next_at, seq LIMIT 1)`
    ),
    (found) => found.map((row) => ({ ...row, facts: factsOf(row.facts, row.id) }))
  )

/** When the next delivery is due, in milliseconds since the epoch. */
export const nextDue = (after: number): Effect.Effect<number | undefined, never, Sql> =>
  Effect.map(
    firstRow<{ at: number | null }>(
      sql`SELECT MIN(next_at) AS at FROM hook_executions WHERE next_at IS NOT NULL AND next_at > ${after}`
    ),
    (found) => found?.at ?? undefined
  )

/** What is stored of a delivery after an attempt, or in place of one. */
export interface Attempt {
  readonly status: ExecutionStatus
  readonly attempts: number
  readonly statusCode?: number | undefined
  readonly error?: string | undefined
  readonly durationMs: number
  readonly startedAt: number
  readonly nextAt?: number | undefined
}

/** Stores an attempt. A delivery that was dropped meanwhile stays dropped. */
export const note = (id: string, attempt: Attempt): Effect.Effect<void, never, Sql> =>
  run(
    sql`
      UPDATE hook_executions SET status = ${attempt.status}, attempts = ${attempt.attempts},
        status_code = ${attempt.statusCode ?? null}, error = ${attempt.error ?? null},
        duration_ms = ${attempt.durationMs}, started_at = ${attempt.startedAt}, next_at = ${attempt.nextAt ?? null}
      WHERE id = ${id} AND next_at IS NOT NULL`
  )

/** Puts a delivery off without an attempt. */
export const putOff = (id: string, error: string, until: number): Effect.Effect<void, never, Sql> =>
  run(
    sql`UPDATE hook_executions SET error = ${error}, next_at = ${until} WHERE id = ${id} AND next_at IS NOT NULL`
  )

/** Drops the deliveries that wait for a hook. */
export const dropAllOf = (hookId: string, reason: string): Effect.Effect<void, never, Sql> =>
  run(
    sql`
      UPDATE hook_executions SET status = 'dropped', error = ${reason}, next_at = NULL
      WHERE hook_id = ${hookId} AND next_at IS NOT NULL`
  )

/** Deletes up to `size` executions that are over, made before `before`, and not among the `newest`; gives how many. */
export const forgetOld = ({ before, newest }: Past, size: number): Effect.Effect<number, never, Sql> =>
  Effect.map(
    rows(
      sql`
        DELETE FROM hook_executions WHERE created_at < ${before} AND seq IN (
          SELECT seq FROM hook_executions
          WHERE next_at IS NULL AND seq <= (SELECT MAX(seq) FROM hook_executions) - ${newest}
          ORDER BY seq LIMIT ${size})
        RETURNING seq`
    ),
    ({ length }) => length
  )
