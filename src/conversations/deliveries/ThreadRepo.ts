import { Effect } from "effect"
import type { Page } from "../../kernel/Paging.ts"
import { iso, now } from "../../kernel/Time.ts"
import { type Compose, firstRow, rows, run, type Sql, sql } from "../../storage/Sql.ts"
import type { Thread, ThreadFilter, ThreadMapping } from "./Thread.ts"

/** Ties a message to an event. An event is tied once; the first adapter that saw it has it. */
export const insert = (thread: Thread): Effect.Effect<void, never, Sql> =>
  Effect.flatMap(now, (at) =>
    run(
      sql`
        INSERT INTO communication_threads (community, event_id, root_event_id, adapter_id, channel_id, direction,
          squad_message_id, root_squad_message_id, created_at)
        VALUES (${thread.community}, ${thread.eventId}, ${thread.rootEventId}, ${thread.adapterId},
          ${thread.channelId}, ${thread.direction}, ${thread.squadMessageId}, ${thread.rootSquadMessageId}, ${at})`
    )
  )

/** Unties an event: the relay does not have it, so nothing can answer it there. */
export const remove = (community: string, eventId: string): Effect.Effect<void, never, Sql> =>
  run(sql`DELETE FROM communication_threads WHERE community = ${community} AND event_id = ${eventId}`)

const columns = `community, event_id AS eventId, root_event_id AS rootEventId, adapter_id AS adapterId,
  channel_id AS channelId, direction, squad_message_id AS squadMessageId,
  root_squad_message_id AS rootSquadMessageId`

/** The message that an event is here. */
export const ofEvent = (community: string, eventId: string): Effect.Effect<Thread | undefined, never, Sql> =>
  firstRow<Thread>(
    (sql) => sql`
      SELECT ${sql.literal(columns)} FROM communication_threads
      WHERE community = ${community} AND event_id = ${eventId}`
  )

/** The messages that these events are here; events without one are left out. */
export const ofEvents = (
  community: string,
  eventIds: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<Thread>, never, Sql> =>
  rows<Thread>(
    (sql) => sql`
      SELECT ${sql.literal(columns)} FROM communication_threads
      WHERE community = ${community} AND event_id IN (SELECT value FROM json_each(${JSON.stringify(eventIds)}))`
  )

/** Which of these events are messages here, and whether each went out or came in. */
export const directionsOf = (
  community: string,
  eventIds: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<Pick<Thread, "eventId" | "direction">>, never, Sql> =>
  rows<Pick<Thread, "eventId" | "direction">>(
    sql`
      WITH asked (id) AS (SELECT value FROM json_each(${JSON.stringify(eventIds)}))
      SELECT event_id AS eventId, direction
      FROM asked CROSS JOIN communication_threads ON community = ${community} AND event_id = id`
  )

/** The event that a message is in a channel of a community. */
export const ofMessage = (
  community: string,
  channelId: string,
  squadMessageId: string
): Effect.Effect<Thread | undefined, never, Sql> =>
  firstRow<Thread>(
    (sql) => sql`
      SELECT ${sql.literal(columns)} FROM communication_threads
      WHERE squad_message_id = ${squadMessageId} AND community = ${community} AND channel_id = ${channelId}`
  )

/** What ties a thread of the squad chat to a community: the message itself first, then what was said there last. */
export const around = (
  community: string,
  { messageId, rootId }: { readonly messageId: string; readonly rootId: string }
): Effect.Effect<Thread | undefined, never, Sql> =>
  firstRow<Thread>(
    (sql) => sql`
      SELECT ${sql.literal(columns)} FROM communication_threads
      WHERE community = ${community} AND root_squad_message_id = ${rootId}
      ORDER BY squad_message_id = ${messageId} DESC, seq DESC LIMIT 1`
  )

const where = (sql: Compose, { adapterId, squadMessageId }: ThreadFilter) =>
  sql.and([
    ...(adapterId === undefined ? [] : [sql`adapter_id = ${adapterId}`]),
    ...(squadMessageId === undefined ? [] : [sql`squad_message_id = ${squadMessageId}`])
  ])

/** The newest mappings that fit, and how many there are. */
export const newest = ({
  limit = 100,
  ...filter
}: ThreadFilter): Effect.Effect<Page<ThreadMapping>, never, Sql> =>
  Effect.zipWith(
    rows<Thread & { readonly seq: number; readonly createdAt: number }>(
      (sql) => sql`
        SELECT seq, created_at AS createdAt, ${sql.literal(columns)} FROM communication_threads
        WHERE ${where(sql, filter)} ORDER BY seq DESC LIMIT ${limit}`
    ),
    firstRow<{ n: number }>(
      (sql) => sql`SELECT COUNT(*) AS n FROM communication_threads WHERE ${where(sql, filter)}`
    ),
    (found, count) => ({
      items: found.map(({ createdAt, seq, ...thread }) => ({
        id: `thread_${seq}`,
        ...thread,
        createdAt: iso(createdAt)
      })),
      total: count?.n ?? 0
    })
  )
