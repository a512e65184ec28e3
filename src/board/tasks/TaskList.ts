import { Effect } from "effect"
import { type Build, type Compose, rows, type Sql, sql } from "../../storage/Sql.ts"
import type { IdentityConflictEntry } from "./Errors.ts"
import { laneOf, TaskStatus } from "./Task.ts"
import type { TaskCounts, TaskFilter } from "./TaskFilter.ts"
import { type SentRow, sentJson } from "./TaskRepo.ts"

/** A list as it is sent: JSON text, how many tasks match without the page, and how many identities conflict. */
export interface ListPage {
  readonly json: string
  readonly total: number
  readonly conflictCount: number
}

const isAgent = (sql: Compose, name: string) =>
  sql`EXISTS (SELECT 1 FROM task_agents a WHERE a.row = t.row AND a.agent = ${name})`

const where = (sql: Compose, filter: TaskFilter) =>
  sql.and([
    sql`t.archived = ${filter.archived === "true" ? 1 : 0}`,
    ...(filter.status === undefined ? [] : [sql`t.lane IN ${sql.in(filter.status.map(laneOf))}`]),
    ...(filter.priority === undefined ? [] : [sql`t.priority = ${filter.priority}`]),
    ...(filter.project === undefined ? [] : [sql`t.project = ${filter.project}`]),
    ...(filter.type === undefined ? [] : [sql`t.type = ${filter.type}`]),
    ...(filter.assignee === undefined ? [] : [sql`t.assignee = ${filter.assignee}`]),
    ...(filter.agent === undefined ? [] : [isAgent(sql, filter.agent)]),
    ...(filter.worker === undefined
      ? []
      : [sql.or([sql`t.assignee = ${filter.worker}`, isAgent(sql, filter.worker)])])
  ])

/** What a list tells besides its tasks. */
export interface ListCounts {
  /** How many tasks match without the page; -1 when the list is whole and counts itself. */
  readonly total: number
  /** How many identities conflict on the board. */
  readonly conflicts: number
}

/** The tasks that a filter selects, in the order of the board. */
export const selectPage =
  (filter: TaskFilter): Build =>
  (sql) =>
    sql`
    SELECT d.json, t.position, t.claim FROM tasks t JOIN task_documents d ON d.row = t.row
    WHERE ${where(sql, filter)}
    ORDER BY t.archived, t.lane, t.position LIMIT ${filter.limit ?? -1} OFFSET ${filter.offset ?? 0}`

/** The counts of such a list. A statement of its own: as columns they would be fetched again with every row. */
export const selectCounts =
  (filter: TaskFilter): Build =>
  (sql) =>
    sql`
    SELECT (SELECT COUNT(*) FROM identity_conflicts) AS conflicts,
      ${isPaged(filter) ? sql`(${total(sql, filter)})` : sql`-1`} AS total`

const isPaged = ({ limit, offset }: TaskFilter): boolean => limit !== undefined || offset !== undefined

const total = (sql: Compose, filter: TaskFilter) =>
  isWholeColumns(filter)
    ? // Positions are dense, so the end of a column says how long it is: a seek instead of a scan.
      sql`
        SELECT SUM(COALESCE((SELECT MAX(position) + 1 FROM tasks WHERE archived = 0 AND lane = l.value), 0))
        FROM json_each(${JSON.stringify((filter.status ?? TaskStatus.literals).map(laneOf))}) l`
    : sql`SELECT COUNT(*) FROM tasks t WHERE ${where(sql, filter)}`

/** The list as it is sent; `conflicts` are named when there are any. */
export const pageOf = (
  filter: TaskFilter,
  found: ReadonlyArray<SentRow>,
  counts: ListCounts,
  at: number,
  conflicts: ReadonlyArray<IdentityConflictEntry> = []
): ListPage => {
  const all = counts.total < 0 ? found.length : counts.total
  const members = [`"tasks":[${found.map((task) => sentJson(task, at)).join()}]`]
  if (filter.agent !== undefined) members.push(`"success":true,"total":${all}`)
  if (counts.conflicts > 0) {
    const diagnostics = {
      conflictCount: counts.conflicts,
      duplicateIds: conflicts.map(({ id }) => id),
      conflicts
    }
    members.push(`"meta":${JSON.stringify({ taskIdentityDiagnostics: diagnostics })}`)
  }
  return { json: `{${members.join()}}`, total: all, conflictCount: counts.conflicts }
}

const isWholeColumns = ({
  agent,
  archived,
  assignee,
  priority,
  project,
  type,
  worker
}: TaskFilter): boolean =>
  archived !== "true" &&
  [agent, assignee, priority, project, type, worker].every((value) => value === undefined)

/** How many tasks stand in each column. */
export const counts: Effect.Effect<TaskCounts, never, Sql> = Effect.map(
  rows<{ archived: number; status: TaskStatus; n: number }>(
    sql`SELECT archived, status, COUNT(*) AS n FROM tasks GROUP BY archived, lane, status`
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
