import { Effect } from "effect"
import { type Build, firstRow, moves, rows, run, type Sql, sql } from "../../storage/Sql.ts"
import type { DeliveryStatus } from "../deliveries/Delivery.ts"

/** How many events may wait for an answer of the relay, for each adapter. */
export const outboxLimit = 1_000

/**
 * How long an event counts as handed over, in milliseconds. An exchange is over in a sixth of it, so the answer to one
 * that is still under way after that will never be heard.
 */
export const lease = 60_000

/** The name of the queue that wakes the worker. */
export const queue = "relay-deliveries"

/** A statement that gives an event its time. */
const appointing = (statement: Build): Effect.Effect<void, never, Sql> =>
  Effect.zipRight(moves(queue), run(statement))

/** A signed event on its way. It is stored here and nowhere else, sealed: no route, log, export or backup shows it. */
export interface StoredOutgoing {
  readonly deliveryId: string
  readonly adapterId: string
  readonly community: string
  readonly channelId: string
  readonly eventId: string
  /** Sealed. */
  readonly event: string
  readonly attempts: number
  /** It was handed over, and the answer is not here yet. */
  readonly inFlight: boolean
  /** When it is looked at again, in milliseconds. Every event that waits has such a time. */
  readonly nextAt: number
  readonly status: DeliveryStatus
}

interface OutgoingRow extends Omit<StoredOutgoing, "inFlight"> {
  readonly inFlight: number
}

const columns = `o.delivery_id AS deliveryId, o.adapter_id AS adapterId, o.community, o.channel_id AS channelId,
  o.event_id AS eventId, o.event, o.attempts, o.in_flight AS inFlight, o.next_at AS nextAt, d.status`

const source = `relay_outgoing o JOIN communication_deliveries d ON d.id = o.delivery_id`

const outgoingOf = ({ inFlight, ...row }: OutgoingRow): StoredOutgoing => ({
  ...row,
  inFlight: inFlight === 1
})

/** Keeps an event that is handed over now. */
export const insert = (
  outgoing: Omit<StoredOutgoing, "attempts" | "inFlight" | "nextAt" | "status">,
  atMs: number
): Effect.Effect<void, never, Sql> =>
  appointing(
    sql`
      INSERT INTO relay_outgoing (delivery_id, adapter_id, community, channel_id, event_id, event, in_flight,
        attempts, next_at)
      VALUES (${outgoing.deliveryId}, ${outgoing.adapterId}, ${outgoing.community}, ${outgoing.channelId},
        ${outgoing.eventId}, ${outgoing.event}, 1, 1, ${atMs + lease})`
  )

/** The event of a delivery. */
export const find = (deliveryId: string): Effect.Effect<StoredOutgoing | undefined, never, Sql> =>
  Effect.map(
    firstRow<OutgoingRow>(
      (sql) =>
        sql`SELECT ${sql.literal(columns)} FROM ${sql.literal(source)} WHERE o.delivery_id = ${deliveryId}`
    ),
    (found) => found && outgoingOf(found)
  )

/** The delivery of the event with an id, while it is open. */
export const openEvent = (
  community: string,
  eventId: string
): Effect.Effect<{ readonly deliveryId: string } | undefined, never, Sql> =>
  firstRow<{ readonly deliveryId: string }>(
    sql`
      SELECT delivery_id AS deliveryId FROM relay_outgoing
      WHERE community = ${community} AND event_id = ${eventId}`
  )

/** The events of an adapter that may or may not have arrived, oldest first. */
export const unknown = (
  adapterId: string,
  limit: number
): Effect.Effect<ReadonlyArray<StoredOutgoing>, never, Sql> =>
  Effect.map(
    rows<OutgoingRow>(
      (sql) => sql`
        SELECT ${sql.literal(columns)} FROM ${sql.literal(source)}
        WHERE o.adapter_id = ${adapterId} AND d.status = 'delivery_unknown' ORDER BY d.seq LIMIT ${limit}`
    ),
    (found) => found.map(outgoingOf)
  )

/** The events whose time has come: put off, unclear, or handed over so long ago that no answer can come any more. */
export const due = (atMs: number, limit: number): Effect.Effect<ReadonlyArray<StoredOutgoing>, never, Sql> =>
  Effect.map(
    rows<OutgoingRow>(
      (sql) => sql`
        SELECT ${sql.literal(columns)} FROM ${sql.literal(source)} WHERE o.next_at <= ${atMs}
        ORDER BY o.next_at LIMIT ${limit}`
    ),
    (found) => found.map(outgoingOf)
  )

/** When the next event is due. */
export const nextDue: Effect.Effect<number | undefined, never, Sql> = Effect.map(
  firstRow<{ at: number | null }>(
    (sql) => sql`SELECT MIN(o.next_at) AS at FROM ${sql.literal(source)} WHERE o.next_at IS NOT NULL`
  ),
  (found) => found?.at ?? undefined
)

/** Marks an event as handed over, so that it counts as unknown when the answer never comes. */
export const begin = (deliveryId: string, atMs: number): Effect.Effect<void, never, Sql> =>
  appointing(
    sql`
      UPDATE relay_outgoing SET in_flight = 1, attempts = attempts + 1, next_at = ${atMs + lease}
      WHERE delivery_id = ${deliveryId}`
  )

/** Puts an event off until a time. */
export const putOff = (deliveryId: string, atMs: number): Effect.Effect<void, never, Sql> =>
  appointing(
    sql`UPDATE relay_outgoing SET in_flight = 0, next_at = ${atMs} WHERE delivery_id = ${deliveryId}`
  )

/** Forgets an event: its delivery is over. */
export const remove = (deliveryId: string): Effect.Effect<void, never, Sql> =>
  run(sql`DELETE FROM relay_outgoing WHERE delivery_id = ${deliveryId}`)

/** The deliveries whose event was handed over when the process ended, and whose answer nobody heard. */
export const interrupted: Effect.Effect<ReadonlyArray<{ readonly deliveryId: string }>, never, Sql> = rows<{
  deliveryId: string
}>(sql`SELECT delivery_id AS deliveryId FROM relay_outgoing WHERE in_flight = 1`)

/** Gives a time to the events that wait for none: earlier versions left them to a poll. */
export const appoint = (atMs: number): Effect.Effect<void, never, Sql> =>
  appointing(sql`UPDATE relay_outgoing SET next_at = ${atMs} WHERE next_at IS NULL`)

/** The events that an earlier version stored as they are. */
export const unsealed: Effect.Effect<
  ReadonlyArray<{ readonly deliveryId: string; readonly event: string }>,
  never,
  Sql
> = rows<{ deliveryId: string; event: string }>(
  sql`SELECT delivery_id AS deliveryId, event FROM relay_outgoing WHERE event LIKE '{%'`
)

/** Replaces the text of an event by its sealed form. */
export const reseal = (deliveryId: string, event: string): Effect.Effect<void, never, Sql> =>
  run(sql`UPDATE relay_outgoing SET event = ${event} WHERE delivery_id = ${deliveryId}`)

/** How many events of a channel wait. */
export const openIn = (adapterId: string, channelId: string): Effect.Effect<number, never, Sql> =>
  Effect.map(
    firstRow<{ n: number }>(
      sql`
        SELECT COUNT(*) AS n FROM relay_outgoing WHERE adapter_id = ${adapterId} AND channel_id = ${channelId}`
    ),
    (found) => found?.n ?? 0
  )

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
