import { Effect } from "effect"
import { columnReader } from "../../storage/JsonColumn.ts"
import { firstRow, rows, run, type Sql, sql } from "../../storage/Sql.ts"
import { NostrEvent } from "../wire/NostrEvent.ts"

/** How many replies of a channel may wait for what they answer. */
export const pendingLimit = 500

/** A reply that came before what it answers. */
export interface Pending {
  readonly mappingId: string
  readonly community: string
  readonly rootId: string
  readonly waitsFor: string
  readonly event: NostrEvent
}

interface PendingRow {
  readonly mappingId: string
  readonly community: string
  readonly rootId: string
  readonly waitsFor: string
  readonly eventId: string
  readonly event: string
}

const read = columnReader(NostrEvent, "relay_pending", "event")

const pendingOf = ({ event, eventId, ...row }: PendingRow): Pending => ({
  ...row,
  event: read(event, eventId)
})

/** Keeps a reply. Its signature was checked and is no longer needed. */
export const insert = (
  { community, event, mappingId, rootId, waitsFor }: Pending,
  atMs: number
): Effect.Effect<void, never, Sql> =>
  run(
    sql`
      INSERT INTO relay_pending (mapping_id, created_at, event_id, community, root_event_id, waits_for, event,
        received_at)
      VALUES (${mappingId}, ${event.created_at}, ${event.id}, ${community}, ${rootId}, ${waitsFor},
        ${JSON.stringify({ ...event, sig: "" })}, ${atMs})
      ON CONFLICT DO NOTHING`
  )

/** Lets all replies go that wait in a channel. */
export const removeAll = (mappingId: string): Effect.Effect<void, never, Sql> =>
  run(sql`DELETE FROM relay_pending WHERE mapping_id = ${mappingId}`)

/** Lets a reply go. */
export const remove = ({ event, mappingId }: Pending): Effect.Effect<void, never, Sql> =>
  run(
    sql`
      DELETE FROM relay_pending
      WHERE mapping_id = ${mappingId} AND created_at = ${event.created_at} AND event_id = ${event.id}`
  )

const select = `SELECT mapping_id AS mappingId, community, root_event_id AS rootId, waits_for AS waitsFor,
  event_id AS eventId, event
  FROM relay_pending`

/** Which of these events some reply waits for. */
export const awaited = (
  community: string,
  ids: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<string>, never, Sql> =>
  Effect.map(
    rows<{ id: string }>(
      sql`
        SELECT DISTINCT waits_for AS id FROM relay_pending
        WHERE community = ${community} AND waits_for IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`
    ),
    (found) => found.map(({ id }) => id)
  )

/** The replies that wait for an event, in order. */
export const waitingFor = (
  community: string,
  eventId: string
): Effect.Effect<ReadonlyArray<Pending>, never, Sql> =>
  Effect.map(
    rows<PendingRow>(
      (sql) => sql`
        ${sql.literal(select)} WHERE community = ${community} AND waits_for = ${eventId}
        ORDER BY created_at, event_id`
    ),
    (found) => found.map(pendingOf)
  )

/** How many replies of a channel wait. */
export const count = (mappingId: string): Effect.Effect<number, never, Sql> =>
  Effect.map(
    firstRow<{ n: number }>(sql`SELECT COUNT(*) AS n FROM relay_pending WHERE mapping_id = ${mappingId}`),
    (found) => found?.n ?? 0
  )

/** The first reply of a channel that waits. */
export const first = (mappingId: string): Effect.Effect<Pending | undefined, never, Sql> =>
  Effect.map(
    firstRow<PendingRow>(
      (sql) => sql`
        ${sql.literal(select)} WHERE mapping_id = ${mappingId} ORDER BY created_at, event_id LIMIT 1`
    ),
    (found) => found && pendingOf(found)
  )

/** The events that replies of a channel wait for and that do not wait themselves: the relay is asked for these. */
export const missing = (mappingId: string): Effect.Effect<ReadonlyArray<string>, never, Sql> =>
  Effect.map(
    rows<{ waitsFor: string }>(
      sql`
        SELECT DISTINCT p.waits_for AS waitsFor FROM relay_pending p
        WHERE p.mapping_id = ${mappingId} AND NOT EXISTS (
          SELECT 1 FROM relay_pending other WHERE other.mapping_id = p.mapping_id AND other.event_id = p.waits_for)`
    ),
    (found) => found.map(({ waitsFor }) => waitsFor)
  )

/** Replies that have waited since before a time for an event that is not their root and does not wait itself. */
export const longWaiting = (
  mappingId: string,
  beforeMs: number
): Effect.Effect<ReadonlyArray<Pending>, never, Sql> =>
  Effect.map(
    rows<PendingRow>(
      (sql) => sql`
        ${sql.literal(select)}
        WHERE mapping_id = ${mappingId} AND received_at < ${beforeMs} AND waits_for <> root_event_id
          AND NOT EXISTS (SELECT 1 FROM relay_pending other
            WHERE other.mapping_id = relay_pending.mapping_id AND other.event_id = relay_pending.waits_for)
        ORDER BY created_at, event_id`
    ),
    (found) => found.map(pendingOf)
  )
