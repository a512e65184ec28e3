import { Effect } from "effect"
import { columnReader } from "../../storage/JsonColumn.ts"
import { firstRow, rows, run, type Sql, sql } from "../../storage/Sql.ts"
import type { CreationState } from "./Creation.ts"
import { ExternalItem } from "./Driver.ts"
import type { TrackerProvider } from "./profiles/Provider.ts"

const itemOf = columnReader(ExternalItem, "tracker_creations", "item")

/** A stored create: one for each task and profile. */
export interface CreationRow {
  readonly taskId: string
  readonly profileId: string
  readonly marker: string
  readonly state: CreationState
  /** The tracker, address and project that it was sent to. */
  readonly provider: TrackerProvider
  readonly baseUrl: string
  readonly project: string
  /** When it was last sent, in milliseconds since the epoch. */
  readonly sentAt: number
  readonly actor: string
  readonly approvedBy: string
  readonly item?: ExternalItem
}

type Stored = Omit<CreationRow, "item"> & { readonly item: string | null }

const rowOf = ({ item, ...row }: Stored): CreationRow => ({
  ...row,
  ...(item === null ? {} : { item: itemOf(item, row.marker) })
})

/** The create of an item for a task by a profile. */
export const find = (taskId: string, profileId: string): Effect.Effect<CreationRow | undefined, never, Sql> =>
  Effect.map(
    firstRow<Stored>(
      sql`
        SELECT task_id AS taskId, profile_id AS profileId, marker, state, provider, base_url AS baseUrl, project,
          sent_at AS sentAt, actor, approved_by AS approvedBy, item
        FROM tracker_creations WHERE task_id = ${taskId} AND profile_id = ${profileId}`
    ),
    (found) => found && rowOf(found)
  )

/** The creates in a state, the oldest 1,000. */
export const inState = (
  state: "creating" | "created"
): Effect.Effect<ReadonlyArray<CreationRow>, never, Sql> =>
  Effect.map(
    rows<Stored>(
      sql`
        SELECT task_id AS taskId, profile_id AS profileId, marker, state, provider, base_url AS baseUrl, project,
          sent_at AS sentAt, actor, approved_by AS approvedBy, item
        FROM tracker_creations WHERE state = ${state} ORDER BY sent_at LIMIT 1000`
    ),
    (found) => found.map(rowOf)
  )

const itemJson = ({ item }: CreationRow): string | null => (item === undefined ? null : JSON.stringify(item))

/** Stores a create before it is sent, in place of an earlier one for the task and profile. */
export const save = (row: CreationRow): Effect.Effect<void, never, Sql> =>
  run(
    sql`
      INSERT OR REPLACE INTO tracker_creations (task_id, profile_id, marker, state, provider, base_url, project,
        sent_at, actor, approved_by, item)
      VALUES (${row.taskId}, ${row.profileId}, ${row.marker}, ${row.state}, ${row.provider}, ${row.baseUrl},
        ${row.project}, ${row.sentAt}, ${row.actor}, ${row.approvedBy}, ${itemJson(row)})`
  )

/** Stores what came of a create. When its task was deleted meanwhile, nothing is stored. */
export const note = (row: CreationRow): Effect.Effect<void, never, Sql> =>
  run(
    sql`
      UPDATE tracker_creations SET state = ${row.state}, sent_at = ${row.sentAt}, item = ${itemJson(row)}
      WHERE task_id = ${row.taskId} AND profile_id = ${row.profileId} AND marker = ${row.marker}`
  )

/** Forgets the creates of a task that is deleted for good. */
export const removeAllOf = (taskId: string): Effect.Effect<void, never, Sql> =>
  run(sql`DELETE FROM tracker_creations WHERE task_id = ${taskId}`)
