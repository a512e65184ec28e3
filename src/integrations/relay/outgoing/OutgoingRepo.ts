import { Effect } from "effect"
import { firstRow, rows, run, type Sql, sql } from "../../../storage/Sql.ts"

/** How many events may wait for an answer of the relay, for each adapter. */
export const outboxLimit = 1_000

/**
 * A signed event on its way, in the very text that is sent. It stands here and nowhere else: no route, log or export
 * reads it.
 */
export interface StoredOutgoing {
  readonly deliveryId: string
  readonly adapterId: string
  readonly community: string
  readonly channelId: string
  readonly eventId: string
  readonly event: string
  readonly attempts: number
}

/** Keeps an event that is about to be sent. */
export const insert = (outgoing: Omit<StoredOutgoing, "attempts">): Effect.Effect<void, never, Sql> =>
  run(
    sql`
      INSERT INTO relay_outgoing (delivery_id, adapter_id, community, channel_id, event_id, event, in_flight,
        attempts, next_at)
      VALUES (${outgoing.deliveryId}, ${outgoing.adapterId}, ${outgoing.community}, ${outgoing.channelId},
        ${outgoing.eventId}, ${outgoing.event}, 1, 1, NULL)`
  )

const columns = `o.delivery_id AS deliveryId, o.adapter_id AS adapterId, o.community, o.channel_id AS channelId,
  o.event_id AS eventId, o.event, o.attempts`

/** The event of a delivery. */
export const find = (deliveryId: string): Effect.Effect<StoredOutgoing | undefined, never, Sql> =>
  firstRow<StoredOutgoing>(
    (sql) => sql`SELECT ${sql.literal(columns)} FROM relay_outgoing o WHERE o.delivery_id = ${deliveryId}`
  )

/** The event with an id, while its delivery is open. */
export const openEvent = (
  community: string,
  eventId: string
): Effect.Effect<StoredOutgoing | undefined, never, Sql> =>
  firstRow<StoredOutgoing>(
    (sql) => sql`
      SELECT ${sql.literal(columns)} FROM relay_outgoing o
      WHERE o.community = ${community} AND o.event_id = ${eventId}`
  )

/** The events of an adapter that may or may not have arrived, oldest first. */
export const unknown = (
  adapterId: string,
  limit: number
): Effect.Effect<ReadonlyArray<StoredOutgoing>, never, Sql> =>
  rows<StoredOutgoing>(
    (sql) => sql`
      SELECT ${sql.literal(columns)} FROM relay_outgoing o
      JOIN communication_deliveries d ON d.id = o.delivery_id
      WHERE o.adapter_id = ${adapterId} AND d.status = 'delivery_unknown' ORDER BY d.seq LIMIT ${limit}`
  )

/** Queued events whose time has come, of which the relay said that it had written nothing. */
export const due = (atMs: number, limit: number): Effect.Effect<ReadonlyArray<StoredOutgoing>, never, Sql> =>
  rows<StoredOutgoing>(
    (sql) => sql`
      SELECT ${sql.literal(columns)} FROM relay_outgoing o WHERE o.next_at <= ${atMs}
      ORDER BY o.next_at LIMIT ${limit}`
  )

/** When the next queued event is due. */
export const nextDue: Effect.Effect<number | undefined, never, Sql> = Effect.map(
  firstRow<{ at: number | null }>(sql`SELECT MIN(next_at) AS at FROM relay_outgoing`),
  (found) => found?.at ?? undefined
)

/** Marks an event as handed over, so that a crash before the answer is known for what it is. */
export const begin = (deliveryId: string): Effect.Effect<void, never, Sql> =>
  run(
    sql`
      UPDATE relay_outgoing SET in_flight = 1, attempts = attempts + 1, next_at = NULL
      WHERE delivery_id = ${deliveryId}`
  )

/** Puts an event off until a time. */
export const putOff = (deliveryId: string, atMs: number): Effect.Effect<void, never, Sql> =>
  run(sql`UPDATE relay_outgoing SET in_flight = 0, next_at = ${atMs} WHERE delivery_id = ${deliveryId}`)

/** Leaves an event to a reconciliation. */
export const park = (deliveryId: string): Effect.Effect<void, never, Sql> =>
  run(sql`UPDATE relay_outgoing SET in_flight = 0, next_at = NULL WHERE delivery_id = ${deliveryId}`)

/** Forgets an event: its delivery is over. */
export const remove = (deliveryId: string): Effect.Effect<void, never, Sql> =>
  run(sql`DELETE FROM relay_outgoing WHERE delivery_id = ${deliveryId}`)

/** The deliveries whose event was handed over when the process ended, and whose answer nobody heard. */
export const interrupted: Effect.Effect<ReadonlyArray<{ readonly deliveryId: string }>, never, Sql> = rows<{
  deliveryId: string
}>(sql`SELECT delivery_id AS deliveryId FROM relay_outgoing WHERE in_flight = 1`)

/** How many events of an adapter wait, by what their delivery says. */
export const counts = (
  adapterId: string
): Effect.Effect<{ readonly queued: number; readonly unknown: number }, never, Sql> =>
  Effect.map(
    firstRow<{ queued: number; unknown: number }>(
      sql`
        SELECT COALESCE(SUM(d.status = 'queued'), 0) AS queued,
          COALESCE(SUM(d.status = 'delivery_unknown'), 0) AS unknown
        FROM relay_outgoing o JOIN communication_deliveries d ON d.id = o.delivery_id
        WHERE o.adapter_id = ${adapterId}`
    ),
    (found) => found ?? { queued: 0, unknown: 0 }
  )
