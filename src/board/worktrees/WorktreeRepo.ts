import { Effect } from "effect"
import { columnReader } from "../../storage/JsonColumn.ts"
import { firstRow, rows, run, type Sql, sql } from "../../storage/Sql.ts"
import { isLive, Manifest } from "./Manifest.ts"

interface Row {
  readonly id: string
  readonly json: string
}

const read = columnReader(Manifest, "worktrees")
const manifestOf = ({ id, json }: Row): Manifest => read(json, id)
const manifestsOf = (found: ReadonlyArray<Row>): ReadonlyArray<Manifest> => found.map(manifestOf)

/** The newest manifest of a task, removed or not. */
export const newestOf = (taskId: string): Effect.Effect<Manifest | undefined, never, Sql> =>
  Effect.map(
    firstRow<Row>(
      sql`SELECT id, json FROM worktrees WHERE task_id = ${taskId} ORDER BY live DESC, seq DESC LIMIT 1`
    ),
    (found) => found && manifestOf(found)
  )

/** The manifest of the worktree that a task has now. */
export const liveOf = (taskId: string): Effect.Effect<Manifest | undefined, never, Sql> =>
  Effect.map(
    firstRow<Row>(sql`SELECT id, json FROM worktrees WHERE task_id = ${taskId} AND live = 1`),
    (found) => found && manifestOf(found)
  )

/** The manifest of the worktree that lies at a path now. */
export const liveAt = (path: string): Effect.Effect<Manifest | undefined, never, Sql> =>
  Effect.map(
    firstRow<Row>(sql`SELECT id, json FROM worktrees WHERE path = ${path} AND live = 1`),
    (found) => found && manifestOf(found)
  )

/** The worktrees whose lease is over, longest over first. */
export const expired = (at: number, limit: number): Effect.Effect<ReadonlyArray<Manifest>, never, Sql> =>
  Effect.map(
    rows<Row>(
      sql`
        SELECT id, json FROM worktrees WHERE live = 1 AND lease_expires_at <= ${at}
        ORDER BY lease_expires_at, seq LIMIT ${limit}`
    ),
    manifestsOf
  )

/** The worktrees that something was being done to when the service last stopped. */
export const unsettled: Effect.Effect<ReadonlyArray<Manifest>, never, Sql> = Effect.map(
  rows<Row>(sql`SELECT id, json FROM worktrees WHERE live = 1 AND state <> 'active' ORDER BY seq`),
  manifestsOf
)

/** All worktrees that there are now. */
export const allLive: Effect.Effect<ReadonlyArray<Manifest>, never, Sql> = Effect.map(
  rows<Row>(sql`SELECT id, json FROM worktrees WHERE live = 1 ORDER BY seq`),
  manifestsOf
)

/** Removed worktrees whose files have been kept long enough. */
export const discardable = (at: number): Effect.Effect<ReadonlyArray<Manifest>, never, Sql> =>
  Effect.map(
    rows<Row>(sql`SELECT id, json FROM worktrees WHERE trash_until <= ${at} ORDER BY trash_until LIMIT 100`),
    manifestsOf
  )

const columns = (manifest: Manifest) => ({
  live: isLive(manifest) ? 1 : 0,
  expiresAt: Date.parse(manifest.lease.expiresAt),
  trashUntil: manifest.removal?.trash === undefined ? null : Date.parse(manifest.removal.trash.until),
  json: JSON.stringify(manifest)
})

/** Adds a manifest. */
export const insert = (manifest: Manifest): Effect.Effect<void, never, Sql> => {
  const { expiresAt, json, live, trashUntil } = columns(manifest)
  return run(
    sql`
      INSERT INTO worktrees (id, task_id, path, state, live, lease_expires_at, trash_until, json)
      VALUES (${manifest.id}, ${manifest.taskId}, ${manifest.path}, ${manifest.lifecycleState}, ${live},
        ${expiresAt}, ${trashUntil}, ${json})`
  )
}

/** Writes a changed manifest. */
export const update = (manifest: Manifest): Effect.Effect<void, never, Sql> => {
  const { expiresAt, json, live, trashUntil } = columns(manifest)
  return run(
    sql`
      UPDATE worktrees SET state = ${manifest.lifecycleState}, live = ${live}, lease_expires_at = ${expiresAt},
        trash_until = ${trashUntil}, json = ${json}
      WHERE id = ${manifest.id}`
  )
}

/** A deleted task leaves its manifests to nobody: a later task of the same id has none of them. */
export const orphan = (taskId: string): Effect.Effect<void, never, Sql> =>
  run(sql`UPDATE worktrees SET task_id = NULL WHERE task_id = ${taskId}`)
