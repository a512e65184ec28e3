import { Effect } from "effect"
import { parseStored } from "../../kernel/Json.ts"
import type { Revised } from "../../kernel/Revision.ts"
import { now } from "../../kernel/Time.ts"
import { firstRow, type Query, rows, run, type Sql, sql, together } from "../../storage/Sql.ts"
import { type Claim, viewOf } from "./Claim.ts"
import * as Identities from "./IdentityRepo.ts"
import { identitiesOf, laneOf, type StoredTask, type Task, type TaskStatus } from "./Task.ts"
import type { ClaimView } from "./TaskParts.ts"

/** A task as storage holds it, with its place on the board. `row` tells duplicates of one id apart. */
export interface TaskRow {
  readonly row: number
  readonly position: number
  readonly task: StoredTask
  /** Who claimed it; absent when nobody ever did. */
  readonly claim?: Claim
  /** The document of the task, as it is stored. */
  readonly json: string
}

/** The row of a task that was changed, its document written out once. */
export const rowWith = (row: number, position: number, task: StoredTask, claim?: Claim): TaskRow => ({
  row,
  position,
  task,
  json: JSON.stringify(task),
  ...(claim === undefined ? {} : { claim })
})

/** The public JSON of a task: its document with what stands in columns, the position and the claim. */
export const publicJson = (document: string, position: number, claim?: ClaimView): string =>
  `${document.slice(0, -1)},"position":${position}${claim === undefined ? "" : `,"claim":${JSON.stringify(claim)}`}}`

/** The claim of a task as it stands at this moment. A task that nobody holds does not ask for the time. */
const claimNow = (claim: Claim | undefined): Effect.Effect<ClaimView | undefined> =>
  claim?.holding === undefined ? unclaimed : Effect.map(now, (at) => viewOf(claim, at))

const unclaimed = Effect.succeed(undefined)

/** The public form of a row, as JSON. */
export const revisedOf = ({ claim, json, position, task }: TaskRow): Effect.Effect<Revised> =>
  Effect.map(claimNow(claim), (view) => ({
    id: task.id,
    revision: task.revision,
    json: publicJson(json, position, view)
  }))

/** The public form of a row. */
export const shown = ({ claim, position, task }: TaskRow): Effect.Effect<Task> =>
  Effect.map(claimNow(claim), (view) => ({
    ...task,
    position,
    ...(view === undefined ? {} : { claim: view })
  }))

/** A task as it is selected to be sent. */
export interface SentRow {
  readonly json: string
  readonly position: number
  readonly claim: string | null
}

/** The public JSON of a task that was selected at a time. */
export const sentJson = ({ claim, json, position }: SentRow, at: number): string =>
  publicJson(json, position, claim === null ? undefined : viewOf(parseStored<Claim>(claim), at))

interface DocumentRow {
  readonly row: number
  readonly position: number
  readonly claim: string | null
  readonly json: string
}

const rowOf = ({ claim, row, position, json }: DocumentRow): TaskRow => ({
  row,
  position,
  task: parseStored<StoredTask>(json),
  json,
  ...(claim === null ? {} : { claim: parseStored<Claim>(claim) })
})

/** All tasks with an id: one, unless an import brought duplicates. Those on the board come first. */
export const findAll = (id: string): Effect.Effect<ReadonlyArray<TaskRow>, never, Sql> =>
  Effect.map(
    rows<DocumentRow>(
      sql`
        SELECT t.row, t.position, t.claim, d.json FROM tasks t JOIN task_documents d ON d.row = t.row
        WHERE t.id = ${id} ORDER BY t.archived, t.row`
    ),
    (found) => found.map(rowOf)
  )

/** The task with an id, and how many identities conflict on the whole board: none is the rule. */
export const findWithConflicts = (
  id: string
): Effect.Effect<{ readonly found: TaskRow; readonly conflicts: number } | undefined, never, Sql> =>
  Effect.map(
    firstRow<DocumentRow & { readonly conflicts: number }>(
      sql`
        SELECT t.row, t.position, t.claim, d.json, (SELECT COUNT(*) FROM identity_conflicts) AS conflicts
        FROM tasks t JOIN task_documents d ON d.row = t.row
        WHERE t.id = ${id} ORDER BY t.archived, t.row LIMIT 1`
    ),
    (found) => (found === undefined ? undefined : { found: rowOf(found), conflicts: found.conflicts })
  )

/** The task with an id. */
export const find = (id: string): Effect.Effect<TaskRow | undefined, never, Sql> =>
  Effect.map(findAll(id), (found) => found[0])

/** A task by its row: the way to one of several that share an id. */
export const findRow = (row: number): Effect.Effect<TaskRow | undefined, never, Sql> =>
  Effect.map(
    firstRow<DocumentRow>(
      sql`
        SELECT t.row, t.position, t.claim, d.json FROM tasks t JOIN task_documents d ON d.row = t.row
        WHERE t.row = ${row}`
    ),
    (found) => (found === undefined ? undefined : rowOf(found))
  )

/** What a task is called: its id, and the id of the line that it was imported from. */
export interface TaskName {
  readonly row: number
  readonly id: string
  readonly sourceId: string | null
}

/** The task that a line of an imported file has become. */
export const findBySource = (sourceId: string): Effect.Effect<TaskName | undefined, never, Sql> =>
  firstRow<TaskName>(
    sql`SELECT row, id, source_id AS sourceId FROM tasks WHERE source_id = ${sourceId} ORDER BY row LIMIT 1`
  )

/** What all tasks are called, archived ones included. */
export const names: Effect.Effect<ReadonlyArray<TaskName>, never, Sql> = rows<TaskName>(
  sql`SELECT row, id, source_id AS sourceId FROM tasks ORDER BY row`
)

/** Every dependency on the board: `from` depends on `to`. */
export const dependencyEdges: Effect.Effect<
  ReadonlyArray<{ readonly from: string; readonly to: string }>,
  never,
  Sql
> = rows<{ from: string; to: string }>(
  sql`SELECT DISTINCT task_id AS "from", depends_on AS "to" FROM task_dependencies`
)

const columns = (task: StoredTask, position: number) => ({
  id: task.id,
  workspace_id: "default",
  archived: task.archived ? 1 : 0,
  lane: laneOf(task.status),
  position,
  revision: task.revision,
  title: task.title,
  status: task.status,
  priority: task.priority,
  type: task.type,
  project: task.project ?? null,
  assignee: task.assignee ?? null,
  tracked_ms: task.timeTracking.totalMs,
  timer_running: task.timeTracking.isRunning ? 1 : 0,
  source_id: task.sourceId ?? null
})

/** Adds a task at a position of its column; the column must have room there. */
export const insert = (task: StoredTask, position: number): Effect.Effect<TaskRow, never, Sql> =>
  Effect.gen(function* () {
    const [inserted] = yield* rows<{ row: number }>(
      (sql) => sql`INSERT INTO tasks ${sql.insert(columns(task, position))} RETURNING row`
    )
    const row = inserted?.row ?? 0
    const created = rowWith(row, position, task)
    yield* run(sql`INSERT INTO task_documents (row, json) VALUES (${row}, ${created.json})`)
    yield* saveAgents(row, task.agents)
    yield* saveDependencies(row, task)
    yield* Identities.save(row, task.id, [], identitiesOf(task))
    return created
  })

/** Whether the external identities of a task may have changed; most changes leave alone what they come from. */
const mayClaimOthers = (before: StoredTask, after: StoredTask): boolean =>
  before.externalWorkItems !== after.externalWorkItems ||
  before.git !== after.git ||
  before.archived !== after.archived

/** The update of the columns that a change touches: naming the others too would rewrite their indexes for nothing. */
const updateOf = (before: TaskRow, after: TaskRow): Query => {
  const was: Record<string, string | number | null> = columns(before.task, before.position)
  const changed = Object.entries(columns(after.task, after.position)).filter(
    ([name, value]) => was[name] !== value
  )
  return {
    text: `UPDATE tasks SET ${changed.map(([name]) => `${name} = ?`).join()} WHERE row = ? AND revision = ? RETURNING row`,
    parameters: [...changed.map(([, value]) => value), before.row, before.task.revision]
  }
}

/**
 * Writes a changed task. The revision guards the statement itself: a task that was changed since it was read in this
 * unit can't be, so a miss is a defect.
 */
export const save = (before: TaskRow, after: TaskRow): Effect.Effect<void, never, Sql> => {
  const itself = together([], (execute) => {
    const updated = execute<{ row: number }>(updateOf(before, after))
    if (updated.length !== 1) throw new Error(`Task ${before.task.id} changed under its own unit`)
    execute(sql`UPDATE task_documents SET json = ${after.json} WHERE row = ${before.row}`)
  })
  const parts = [
    ...(before.task.agents === after.task.agents ? [] : [saveAgents(before.row, after.task.agents)]),
    ...(before.task.dependencies === after.task.dependencies
      ? []
      : [saveDependencies(before.row, after.task)]),
    ...(mayClaimOthers(before.task, after.task)
      ? [Identities.save(before.row, after.task.id, identitiesOf(before.task), identitiesOf(after.task))]
      : [])
  ]
  return parts.length === 0 ? itself : Effect.zipRight(itself, Effect.all(parts, { discard: true }))
}

/**
 * Gives a row the id that its document already has. Tasks that depend on the old id go on depending on the task that
 * still has it.
 */
export const rename = (row: number, from: string, to: string): Effect.Effect<void, never, Sql> =>
  Effect.gen(function* () {
    yield* run(sql`UPDATE tasks SET id = ${to} WHERE row = ${row}`)
    yield* run(sql`UPDATE task_dependencies SET task_id = ${to} WHERE row = ${row}`)
    yield* Identities.refresh("task-id", from)
    yield* Identities.refresh("task-id", to)
  })

/** Removes a task for good. */
export const remove = ({ row, task }: TaskRow): Effect.Effect<void, never, Sql> =>
  Effect.gen(function* () {
    yield* Identities.save(row, task.id, identitiesOf(task), [])
    yield* run(sql`DELETE FROM tasks WHERE row = ${row}`)
    yield* Identities.refresh("task-id", task.id)
  })

const saveAgents = (row: number, agents: ReadonlyArray<string>): Effect.Effect<void, never, Sql> =>
  Effect.gen(function* () {
    yield* run(sql`DELETE FROM task_agents WHERE row = ${row}`)
    for (const agent of new Set(agents)) {
      yield* run(sql`INSERT INTO task_agents (row, agent) VALUES (${row}, ${agent})`)
    }
  })

const saveDependencies = (row: number, task: StoredTask): Effect.Effect<void, never, Sql> =>
  Effect.gen(function* () {
    yield* run(sql`DELETE FROM task_dependencies WHERE row = ${row}`)
    for (const dependency of new Set(task.dependencies)) {
      yield* run(
        sql`INSERT INTO task_dependencies (row, task_id, depends_on) VALUES (${row}, ${task.id}, ${dependency})`
      )
    }
  })

/** The tasks that depend on a task, whichever column they stand in. */
export const dependentIds = (id: string): Effect.Effect<ReadonlyArray<string>, never, Sql> =>
  Effect.map(
    rows<{ id: string }>(
      sql`SELECT DISTINCT task_id AS id FROM task_dependencies WHERE depends_on = ${id} ORDER BY task_id`
    ),
    (found) => found.map(({ id }) => id)
  )

/** The place at the end of the archive. */
export const archiveSize: Effect.Effect<number, never, Sql> = Effect.map(
  firstRow<{ size: number | null }>(sql`SELECT MAX(position) + 1 AS size FROM tasks WHERE archived = 1`),
  (found) => found?.size ?? 0
)

/** What other rooms show of a task. */
export interface TaskGlimpse {
  readonly id: string
  readonly title: string
  readonly status: TaskStatus
  readonly archived: boolean
}

/** Tasks by their ids; ids that are unknown are missing. */
export const nodesOf = (
  ids: ReadonlyArray<string>
): Effect.Effect<ReadonlyMap<string, TaskGlimpse>, never, Sql> =>
  ids.length === 0
    ? Effect.succeed(new Map())
    : Effect.map(
        rows<{ id: string; title: string; status: TaskStatus; archived: number }>(
          // One parameter for all ids: a list of them would make a new statement for each length.
          sql`
            SELECT id, title, status, archived FROM tasks
            WHERE id IN (SELECT value FROM json_each(${JSON.stringify([...new Set(ids)])}))
            ORDER BY archived DESC`
        ),
        (found) => new Map(found.map((task) => [task.id, { ...task, archived: task.archived === 1 }]))
      )

/** The titles of tasks by their ids; ids that are unknown are missing. */
export const titles = (ids: ReadonlyArray<string>): Effect.Effect<ReadonlyMap<string, string>, never, Sql> =>
  Effect.map(nodesOf(ids), (found) => new Map([...found].map(([id, { title }]) => [id, title])))

/** The time spent on each task that has any, most first. */
export const timeByTask = Effect.map(
  rows<{ taskId: string; title: string; project: string | null; totalMs: number; running: number }>(
    sql`
      SELECT t.id AS taskId, t.title, t.project, t.tracked_ms AS totalMs, t.timer_running AS running FROM tasks t
      WHERE t.tracked_ms > 0 OR t.timer_running = 1 ORDER BY t.tracked_ms DESC, t.row`
  ),
  (found) => found.map(({ running, ...task }) => ({ ...task, isRunning: running === 1 }))
)
