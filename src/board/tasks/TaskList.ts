import { Effect } from "effect"
import type { Build } from "../../storage/Sql.ts"
import { firstRow, rows, type Sql } from "../../storage/Sql.ts"
import * as Identities from "./IdentityRepo.ts"
import { laneOf, type TaskStatus } from "./Task.ts"
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

/** The list that a filter selects, in the order of the board. */
export const page = (filter: TaskFilter): Effect.Effect<ListPage, never, Sql> =>
  Effect.gen(function* () {
    const found = yield* rows<{ json: string; position: number }>(
      (sql) => sql`
        SELECT d.json, t.position FROM tasks t JOIN task_documents d ON d.row = t.row
        WHERE ${where(sql, filter)}
        ORDER BY t.archived, t.lane, t.position LIMIT ${filter.limit ?? -1} OFFSET ${filter.offset ?? 0}`
    )
    const paged = filter.limit !== undefined || filter.offset !== undefined
    const total = paged ? yield* count(filter) : found.length
    const members = [`"tasks":[${found.map((task) => publicJson(task.json, task.position)).join()}]`]
    if (filter.agent !== undefined) members.push(`"success":true,"total":${total}`)
    const conflictCount = yield* Identities.conflictCount
    if (conflictCount > 0) {
      const conflicts = yield* Identities.conflicts
      const diagnostics = { conflictCount, duplicateIds: conflicts.map(({ id }) => id), conflicts }
      members.push(`"meta":${JSON.stringify({ taskIdentityDiagnostics: diagnostics })}`)
    }
    return { json: `{${members.join()}}`, total, conflictCount }
  })

const count = (filter: TaskFilter): Effect.Effect<number, never, Sql> =>
  Effect.map(
    firstRow<{ n: number }>((sql) => sql`SELECT COUNT(*) AS n FROM tasks t WHERE ${where(sql, filter)}`),
    (found) => found?.n ?? 0
  )

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
