import type { Fragment } from "@effect/sql/Statement"
import { Effect } from "effect"
import { columnReader } from "../../storage/JsonColumn.ts"
import { type Compose, firstRow, rows, run, type Sql, sql } from "../../storage/Sql.ts"
import { Action, Finding, Override } from "./Finding.ts"

const table = "watchdog_findings"
const findingOf = columnReader(Finding, table, "finding")
const overrideOf = columnReader(Override, table, "override")
const actionOf = columnReader(Action, table, "action")

/** A finding with what was decided about it, and what was done. */
export interface StoredFinding {
  readonly finding: Finding
  readonly override: Override | undefined
  readonly action: Action | undefined
}

interface Row {
  readonly id: string
  readonly finding: string
  readonly override: string | null
  readonly action: string | null
}

const select = (tail: (sql: Compose) => Fragment): Effect.Effect<ReadonlyArray<StoredFinding>, never, Sql> =>
  Effect.map(
    rows<Row>((sql) => sql`SELECT id, finding, override, action FROM watchdog_findings ${tail(sql)}`),
    (found) =>
      found.map(({ action, finding, id, override }) => ({
        finding: findingOf(finding, id),
        override: override === null ? undefined : overrideOf(override, id),
        action: action === null ? undefined : actionOf(action, id)
      }))
  )

/** The finding of a task with an id. */
export const find = (taskId: string, id: string): Effect.Effect<StoredFinding | undefined, never, Sql> =>
  Effect.map(
    select((sql) => sql`WHERE id = ${id} AND task_id = ${taskId}`),
    ([found]) => found
  )

/** What was found about an attempt, the oldest first. */
export const ofAttempt = (
  attemptId: string,
  limit: number
): Effect.Effect<ReadonlyArray<StoredFinding>, never, Sql> =>
  select((sql) => sql`WHERE attempt_id = ${attemptId} ORDER BY seq LIMIT ${limit}`)

/** How much was found about an attempt. */
export const countOf = (attemptId: string): Effect.Effect<number, never, Sql> =>
  Effect.map(
    firstRow<{ n: number }>(sql`SELECT COUNT(*) AS n FROM watchdog_findings WHERE attempt_id = ${attemptId}`),
    (found) => found?.n ?? 0
  )

/** Adds a finding, and tells whether it is the first of its episode. */
export const insert = (finding: Finding, episode: number): Effect.Effect<boolean, never, Sql> =>
  Effect.map(
    rows<{ id: string }>(
      sql`
        INSERT INTO watchdog_findings (id, task_id, attempt_id, kind, episode, finding)
        VALUES (${finding.id}, ${finding.taskId}, ${finding.attemptId}, ${finding.kind}, ${episode},
          ${JSON.stringify(finding)})
        ON CONFLICT (attempt_id, kind, episode) DO NOTHING RETURNING id`
    ),
    (inserted) => inserted.length > 0
  )

/** Writes what was decided about a finding, and what was done. */
export const decide = ({ action, finding, override }: StoredFinding): Effect.Effect<void, never, Sql> =>
  run(
    sql`
      UPDATE watchdog_findings SET finding = ${JSON.stringify(finding)},
        override = ${override === undefined ? null : JSON.stringify(override)},
        action = ${action === undefined ? null : JSON.stringify(action)}
      WHERE id = ${finding.id}`
  )

/** Takes away what was found about the attempts at a task. */
export const forget = (taskId: string): Effect.Effect<void, never, Sql> =>
  run(sql`DELETE FROM watchdog_findings WHERE task_id = ${taskId}`)
