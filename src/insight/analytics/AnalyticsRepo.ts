import { Effect } from "effect"
import { firstRow, rows, run, type Sql, sql } from "../../storage/Sql.ts"
import type { Days } from "./Period.ts"
import type { Work } from "./Report.ts"

/** Adds a task that came, and gives its row. */
export const insertTask = (taskId: string, status: string, at: number): Effect.Effect<number, never, Sql> =>
  Effect.map(
    firstRow<{ row: number }>(
      sql`
        INSERT INTO analytics_tasks (task_id, status, archived, created_at, began_at, last_at)
        VALUES (${taskId}, ${status}, 0, ${at}, ${status === "in-progress" ? at : null}, ${at}) RETURNING row`
    ),
    (inserted) => inserted?.row ?? 0
  )

/** Whether a task is known. */
export const knows = (taskId: string): Effect.Effect<boolean, never, Sql> =>
  Effect.map(
    firstRow(sql`SELECT row FROM analytics_tasks WHERE task_id = ${taskId} LIMIT 1`),
    (found) => found !== undefined
  )

/** Counts a task that came. */
export const countArrival = (day: number): Effect.Effect<void, never, Sql> =>
  run(
    sql`
      INSERT INTO analytics_arrivals (day, created) VALUES (${day}, 1)
      ON CONFLICT (day) DO UPDATE SET created = created + 1`
  )

/** Notes a new status; the first time in progress is when the work began. */
export const setStatus = (taskId: string, status: string, at: number): Effect.Effect<void, never, Sql> =>
  run(
    sql`
      UPDATE analytics_tasks SET status = ${status}, last_at = ${at},
        began_at = COALESCE(began_at, ${status === "in-progress" ? at : null})
      WHERE task_id = ${taskId}`
  )

/** Notes that a task left the board, or came back to it. */
export const setArchived = (taskId: string, archived: boolean, at: number): Effect.Effect<void, never, Sql> =>
  run(
    sql`UPDATE analytics_tasks SET archived = ${archived ? 1 : 0}, last_at = ${at} WHERE task_id = ${taskId}`
  )

/** Notes that something happened to a task. */
export const touch = (taskId: string, at: number): Effect.Effect<void, never, Sql> =>
  run(sql`UPDATE analytics_tasks SET last_at = ${at} WHERE task_id = ${taskId}`)

/** Gives the second of the tasks that share an id a new one: the first on the board keeps it. */
export const rename = (from: string, to: string, at: number): Effect.Effect<void, never, Sql> =>
  run(
    sql`
      UPDATE analytics_tasks SET task_id = ${to}, last_at = ${at} WHERE row =
        (SELECT row FROM analytics_tasks WHERE task_id = ${from} ORDER BY archived, row LIMIT 1 OFFSET 1)`
  )

/** Forgets a task. What was completed stays. */
export const remove = (taskId: string): Effect.Effect<void, never, Sql> =>
  run(sql`DELETE FROM analytics_tasks WHERE task_id = ${taskId}`)

/** Counts a task that came in as done: nobody knows how long it took. */
export const completeOnArrival = (row: number, day: number): Effect.Effect<void, never, Sql> =>
  run(sql`INSERT INTO analytics_completions (task_row, day, cycle_ms) VALUES (${row}, ${day}, NULL)`)

/** Counts a completion, with the time since the work began, or since the task came when it never was in progress. */
export const complete = (taskId: string, day: number, at: number): Effect.Effect<void, never, Sql> =>
  run(
    sql`
      INSERT OR REPLACE INTO analytics_completions (task_row, day, cycle_ms)
      SELECT row, ${day}, MAX(0, ${at} - COALESCE(began_at, created_at))
      FROM analytics_tasks WHERE task_id = ${taskId}`
  )

/** Takes back the completion of a task that goes on. */
export const reopen = (taskId: string): Effect.Effect<void, never, Sql> =>
  run(
    sql`
      DELETE FROM analytics_completions
      WHERE task_row IN (SELECT row FROM analytics_tasks WHERE task_id = ${taskId})`
  )

/** A number of tasks on a day. */
interface DayCount {
  readonly day: number
  readonly n: number
}

const byDay = (counts: ReadonlyArray<DayCount>): ReadonlyMap<number, number> =>
  new Map(counts.map(({ day, n }) => [day, n]))

/** How many tasks came, by the day; days without any are absent. */
export const arrivals = ({ first, last }: Days): Effect.Effect<ReadonlyMap<number, number>, never, Sql> =>
  Effect.map(
    rows<DayCount>(
      sql`SELECT day, created AS n FROM analytics_arrivals WHERE day BETWEEN ${first} AND ${last}`
    ),
    byDay
  )

/** How many tasks were completed, by the day; days without any are absent. */
export const completions = ({ first, last }: Days): Effect.Effect<ReadonlyMap<number, number>, never, Sql> =>
  Effect.map(
    rows<DayCount>(
      sql`
        SELECT day, COUNT(*) AS n FROM analytics_completions
        WHERE day BETWEEN ${first} AND ${last} GROUP BY day`
    ),
    byDay
  )

/** A completion whose time is known, by its place among all of them. */
export interface Timed {
  readonly day: number
  readonly ms: number
  readonly row: number
}

/** The next completions of a period after one of them, with how long they took. */
export const timed = (
  { first, last }: Days,
  after: Timed | undefined,
  limit: number
): Effect.Effect<ReadonlyArray<Timed>, never, Sql> =>
  rows<Timed>(
    sql`
      SELECT day, cycle_ms AS ms, task_row AS row FROM analytics_completions
      WHERE (day, cycle_ms, task_row) > (${after?.day ?? first}, ${after?.ms ?? -1}, ${after?.row ?? 0})
        AND day <= ${last} AND cycle_ms IS NOT NULL
      ORDER BY day, cycle_ms, task_row LIMIT ${limit}`
  )

/** What is worked on now; stale is what nothing happened to since a point in time. */
export const work = (staleSince: number): Effect.Effect<Work, never, Sql> =>
  Effect.map(
    firstRow<Work>(
      sql`
        SELECT COUNT(*) FILTER (WHERE status = 'in-progress') AS wip,
          COUNT(*) FILTER (WHERE status = 'blocked') AS blocked,
          COUNT(*) FILTER (WHERE last_at < ${staleSince}) AS stale
        FROM analytics_tasks WHERE archived = 0 AND status IN ('in-progress', 'blocked')`
    ),
    (found) => found ?? { wip: 0, blocked: 0, stale: 0 }
  )
