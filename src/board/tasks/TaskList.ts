import { Effect } from "effect"
import type { Build } from "../../storage/Sql.ts"
import { firstRow, rows, type Sql } from "../../storage/Sql.ts"
import type { IdentityConflictEntry } from "./Errors.ts"
import * as Identities from "./IdentityRepo.ts"
import { laneOf, TaskStatus } from "./Task.ts"
import type { TaskCounts, TaskFilter } from "./TaskFilter.ts"
import { publicJson } from "./TaskRepo.ts"

/** A list as it is sent: JSON text, how many tasks match without the page, and how many identities conflict. */
export interface ListPage {
  readonly json: string
  readonly total: number
  readonly conflictCount: number
}

type Constructor = Parameters<Build>[0]

const where = (sql: Constructor, filter: TaskFilter) =>
  sql.and([
    sql`t.archived = ${filter.archived === "true" ? 1 : 0}`,
    ...(filter.status === undefined ? [] : [sql`t.lane IN ${sql.in(filter.status.map(laneOf))}`]),
    ...(filter.priority === undefined ? [] : [sql`t.priority = ${filter.priority}`]),
    ...(filter.project === undefined ? [] : [sql`t.project = ${filter.project}`]),
    ...(filter.type === undefined ? [] : [sql`t.type = ${filter.type}`]),
    ...(filter.assignee === undefined ? [] : [sql`t.assignee = ${filter.assignee}`]),
    ...(filter.agent === undefined
      ? []
      : [sql`EXISTS (SELECT 1 FROM task_agents a WHERE a.row = t.row AND a.agent = ${filter.agent})`])
  ])

/** A row of a list, with what the statement counted on the side. */
export interface ListRow {
  readonly json: string
  readonly position: number
  readonly conflicts: number
  readonly total: number
}

/**
 * The list that a filter selects, in the order of the board: one statement, because this is the board's hottest list.
 * What it counts on the side is the same on every row.
 */
export const selectPage =
  (filter: TaskFilter): Build =>
  (sql) =>
    sql`
    SELECT d.json, t.position, (SELECT COUNT(*) FROM identity_conflicts) AS conflicts,
      ${isPaged(filter) ? sql`(${total(sql, filter)})` : sql`-1`} AS total
    FROM tasks t JOIN task_documents d ON d.row = t.row
    WHERE ${where(sql, filter)}
    ORDER BY t.archived, t.lane, t.position LIMIT ${filter.limit ?? -1} OFFSET ${filter.offset ?? 0}`

const isPaged = ({ limit, offset }: TaskFilter): boolean => limit !== undefined || offset !== undefined

const total = (sql: Constructor, filter: TaskFilter) =>
  isWholeColumns(filter)
    ? // Positions are dense, so the end of a column says how long it is: a seek instead of a scan.
      sql`
        SELECT SUM(COALESCE((SELECT MAX(position) + 1 FROM tasks WHERE archived = 0 AND lane = l.value), 0))
        FROM json_each(${JSON.stringify((filter.status ?? TaskStatus.literals).map(laneOf))}) l`
    : sql`SELECT COUNT(*) FROM tasks t WHERE ${where(sql, filter)}`

/** What a list needs that its rows do not carry: everything when there are none, and the conflicts by name. */
export const describe = (
  filter: TaskFilter,
  found: ReadonlyArray<ListRow>
): Effect.Effect<ListPage, never, Sql> =>
  Effect.gen(function* () {
    const [first] = found
    const conflictCount = first?.conflicts ?? (yield* Identities.conflictCount)
    const counted = first === undefined ? yield* count(filter) : first.total
    const conflicts = conflictCount === 0 ? [] : yield* Identities.conflicts
    return pageOf(filter, found, counted, conflictCount, conflicts)
  })

const count = (filter: TaskFilter): Effect.Effect<number, never, Sql> =>
  Effect.map(
    firstRow<{ n: number }>((sql) => sql`SELECT (${total(sql, filter)}) AS n`),
    (found) => found?.n ?? 0
  )

/** The list as it is sent. */
export const pageOf = (
  filter: TaskFilter,
  found: ReadonlyArray<ListRow>,
  counted: number,
  conflictCount: number,
  conflicts: ReadonlyArray<IdentityConflictEntry>
): ListPage => {
  const all = counted < 0 ? found.length : counted
  const members = [`"tasks":[${found.map((task) => publicJson(task.json, task.position)).join()}]`]
  if (filter.agent !== undefined) members.push(`"success":true,"total":${all}`)
  if (conflictCount > 0) {
    const diagnostics = { conflictCount, duplicateIds: conflicts.map(({ id }) => id), conflicts }
    members.push(`"meta":${JSON.stringify({ taskIdentityDiagnostics: diagnostics })}`)
  }
  return { json: `{${members.join()}}`, total: all, conflictCount }
}

const isWholeColumns = ({ agent, archived, assignee, priority, project, type }: TaskFilter): boolean =>
  archived !== "true" && [agent, assignee, priority, project, type].every((value) => value === undefined)

/** How many tasks stand in each column. */
export const counts: Effect.Effect<TaskCounts, never, Sql> = Effect.map(
  rows<{ archived: number; status: TaskStatus; n: number }>(
    (sql) => sql`SELECT archived, status, COUNT(*) AS n FROM tasks GROUP BY archived, lane, status`
  ),
  (found) => {
    const columns = { backlog: 0, todo: 0, "in-progress": 0, blocked: 0, done: 0, cancelled: 0 }
    let archived = 0
    let total = 0
    for (const { archived: away, status, n } of found) {
      if (away === 1) archived += n
      else {
        columns[status] = n
        total += n
      }
    }
    return { ...columns, archived, total }
  }
)
