import { Effect } from "effect"
import { type Compose, firstRow, rows, type Sql } from "../../storage/Sql.ts"
import { laneOf, TaskPriority } from "./Task.ts"

/** Who asks for work, and what for. */
export interface QueueQuery {
  readonly agent: string
  readonly project?: string | undefined
  readonly type?: string | undefined
  /** At which time, in milliseconds since the epoch: claims lapse. */
  readonly at: number
}

/** A task of the queue, in short. `mine` is true when it was given to whoever asks. */
export interface QueuedTask {
  readonly row: number
  readonly id: string
  readonly title: string
  readonly priority: TaskPriority
  readonly mine: boolean
  /** It is in progress, and the claim of whoever holds it has lapsed. */
  readonly stale: boolean
}

/** How many tasks can be taken up, and how many of the column `todo` can't, by what holds them. */
export interface QueueCounts {
  /** They stand in `todo`. */
  readonly ready: number
  /** They are in progress, and the claims of who held them have lapsed. */
  readonly stale: number
  /** They wait for a task that is neither done, cancelled nor archived. */
  readonly blocked: number
  /** They were given to somebody else. */
  readonly others: number
  /** They share an identity with another task, so that nobody may change them. */
  readonly duplicate: number
}

/**
 * Whose a task is: the agent's own, nobody's, or somebody else's. The assignee counts before the agents; one whose claim
 * has lapsed counts no more.
 */
const standing = (sql: Compose, agent: string) => sql`
  CASE
    WHEN t.lane = ${laneOf("in-progress")} THEN CASE WHEN t.assignee = ${agent} THEN 'mine' ELSE 'free' END
    WHEN t.assignee IS NOT NULL THEN CASE WHEN t.assignee = ${agent} THEN 'mine' ELSE 'others' END
    WHEN EXISTS (SELECT 1 FROM task_agents a WHERE a.row = t.row AND a.agent = ${agent}) THEN 'mine'
    WHEN EXISTS (SELECT 1 FROM task_agents a WHERE a.row = t.row) THEN 'others'
    ELSE 'free'
  END`

// Both joins are crossed: SQLite then looks up the few others of one task, instead of reading the board for each.
const waits = (sql: Compose) => sql`
  EXISTS (
    SELECT 1 FROM task_dependencies d CROSS JOIN tasks b ON b.id = d.depends_on
    WHERE d.row = t.row AND b.archived = 0 AND b.status NOT IN ('done', 'cancelled')
  )`

const isDuplicate = (sql: Compose) => sql`
  EXISTS (
    SELECT 1 FROM identity_conflicts c WHERE c.kind = 'task-id' AND c.key = t.id
    UNION ALL
    SELECT 1 FROM task_identities i CROSS JOIN identity_conflicts c ON c.kind = i.kind AND c.key = i.key
    WHERE i.row = t.row
  )`

/** What can be taken up: `todo`, and what is in progress under a claim that has lapsed. Few tasks are in progress. */
const takable = (sql: Compose, at: number) => sql`
  t.archived = 0 AND (
    t.lane = ${laneOf("todo")} OR
    (t.lane = ${laneOf("in-progress")} AND json_extract(t.claim, '$.holding.expiresAt') <= ${at})
  )`

/** The queue, as far as the query asks for it, with what holds each task. */
const queue = (sql: Compose, { agent, at, project, type }: QueueQuery) => sql`
  SELECT t.row, t.id, t.title, t.priority, t.position, t.lane = ${laneOf("in-progress")} AS stale,
    ${standing(sql, agent)} AS standing,
    CASE WHEN ${isDuplicate(sql)} THEN 'duplicate' WHEN ${waits(sql)} THEN 'blocked' END AS held
  FROM tasks t
  WHERE ${sql.and([
    takable(sql, at),
    ...(project === undefined ? [] : [sql`t.project = ${project}`]),
    ...(type === undefined ? [] : [sql`t.type = ${type}`])
  ])}`

/**
 * The tasks that an agent can take up, the one to take first: its own before free ones, those of `todo` before those
 * whose claim has lapsed, then by priority and place.
 */
export const ready = (
  query: QueueQuery,
  limit: number
): Effect.Effect<ReadonlyArray<QueuedTask>, never, Sql> =>
  Effect.map(
    rows<Omit<QueuedTask, "mine" | "stale"> & { readonly standing: string; readonly stale: number }>(
      (sql) => sql`
        WITH queue AS (${queue(sql, query)})
        SELECT row, id, title, priority, stale, standing FROM queue
        WHERE standing <> 'others' AND held IS NULL
        ORDER BY standing = 'mine' DESC, stale, ${urgency(sql)} DESC, position
        LIMIT ${limit}`
    ),
    (found) =>
      found.map(({ stale, standing, ...task }) => ({
        ...task,
        mine: standing === "mine",
        stale: stale === 1
      }))
  )

const urgency = (sql: Compose) => sql`
  (SELECT p.key FROM json_each(${JSON.stringify(TaskPriority.literals)}) p WHERE p.value = priority)`

/** What the queue holds as a whole. */
export const counts = (query: QueueQuery): Effect.Effect<QueueCounts, never, Sql> =>
  Effect.map(
    firstRow<QueueCounts>(
      (sql) => sql`
        WITH queue AS (${queue(sql, query)})
        SELECT
          COUNT(*) FILTER (WHERE standing <> 'others' AND held IS NULL AND stale = 0) AS ready,
          COUNT(*) FILTER (WHERE standing <> 'others' AND held IS NULL AND stale = 1) AS stale,
          COUNT(*) FILTER (WHERE standing <> 'others' AND held = 'blocked' AND stale = 0) AS blocked,
          COUNT(*) FILTER (WHERE standing = 'others') AS others,
          COUNT(*) FILTER (WHERE standing <> 'others' AND held = 'duplicate' AND stale = 0) AS duplicate
        FROM queue`
    ),
    (found) => found ?? { ready: 0, stale: 0, blocked: 0, others: 0, duplicate: 0 }
  )
