import type { Fragment } from "@effect/sql/Statement"
import { Effect } from "effect"
import { newId } from "../../kernel/Ids.ts"
import type { Page } from "../../kernel/Paging.ts"
import { iso, now } from "../../kernel/Time.ts"
import type { Past } from "../../storage/Retention.ts"
import { type Compose, firstRow, rows, run, type Sql, sql } from "../../storage/Sql.ts"
import type { Delivery, DeliveryFilter, DeliveryStatus, Direction } from "./Delivery.ts"

interface DeliveryRow extends Omit<Delivery, "createdAt" | "updatedAt"> {
  readonly createdAt: number
  readonly updatedAt: number
}

/** What a record says when it is made. */
export interface DeliveryDraft {
  readonly adapterId: string
  readonly direction: Direction
  readonly status: DeliveryStatus
  readonly reasonCode?: string
  readonly detail?: string
  readonly squadMessageId?: string
  readonly eventId?: string
  readonly kind?: number
  readonly pubkey?: string
  readonly eventCreatedAt?: number
  readonly channelId?: string
  readonly community?: string
  readonly actor?: string
}

/** Adds a record. What came in before with the same result is counted once more instead. */
export const insert = (
  draft: DeliveryDraft,
  id: Effect.Effect<string> = newId("delivery")
): Effect.Effect<string, never, Sql> =>
  Effect.gen(function* () {
    const at = yield* now
    // Not as an upsert: each would use up a number of the sequence, by which the oldest records are forgotten.
    const again =
      draft.direction === "outbound"
        ? undefined
        : yield* firstRow<{ id: string }>(
            sql`
              UPDATE communication_deliveries SET times = times + 1, updated_at = ${at}
              WHERE community = ${draft.community ?? null} AND event_id = ${draft.eventId ?? null}
                AND status = ${draft.status} AND direction = 'inbound'
              RETURNING id`
          )
    if (again !== undefined) return again.id
    const delivery = yield* id
    yield* run(
      sql`
        INSERT INTO communication_deliveries (id, adapter_id, direction, status, reason_code, detail,
          squad_message_id, event_id, kind, pubkey, event_at, channel_id, community, actor, times, created_at, updated_at)
        VALUES (${delivery}, ${draft.adapterId}, ${draft.direction}, ${draft.status}, ${draft.reasonCode ?? null},
          ${draft.detail ?? null}, ${draft.squadMessageId ?? null}, ${draft.eventId ?? null}, ${draft.kind ?? null},
          ${draft.pubkey ?? null}, ${draft.eventCreatedAt ?? null}, ${draft.channelId ?? null}, ${draft.community ?? null}, ${draft.actor ?? null}, 1, ${at}, ${at})`
    )
    return delivery
  })

/** What changes about a record. */
export interface DeliveryChange {
  readonly status: DeliveryStatus
  readonly reasonCode: string | null
  readonly detail?: string | null
  /** The event that it became. */
  readonly event?: {
    readonly id: string
    readonly pubkey: string
    readonly createdAt: number
    readonly channelId: string
    readonly community: string
  }
}

/** Changes a record; what is not named stays. `again` counts one more attempt. */
export const update = (id: string, change: DeliveryChange, again = false): Effect.Effect<void, never, Sql> =>
  Effect.flatMap(now, (at) =>
    run(
      sql`
        UPDATE communication_deliveries
        SET status = ${change.status}, reason_code = ${change.reasonCode}, detail = ${change.detail ?? null},
          event_id = coalesce(${change.event?.id ?? null}, event_id),
          pubkey = coalesce(${change.event?.pubkey ?? null}, pubkey),
          event_at = coalesce(${change.event?.createdAt ?? null}, event_at),
          channel_id = coalesce(${change.event?.channelId ?? null}, channel_id),
          community = coalesce(${change.event?.community ?? null}, community),
          times = times + ${again ? 1 : 0}, updated_at = ${at}
        WHERE id = ${id}`
    )
  )

/** The record with an id. */
export const find = (id: string): Effect.Effect<Delivery | undefined, never, Sql> =>
  Effect.map(
    select((sql) => sql`WHERE id = ${id}`),
    ([found]) => found
  )

/** The record of a message that an adapter was to send. */
export const findSent = (
  adapterId: string,
  squadMessageId: string
): Effect.Effect<Delivery | undefined, never, Sql> =>
  Effect.map(
    select(
      (sql) =>
        sql`WHERE adapter_id = ${adapterId} AND squad_message_id = ${squadMessageId} AND direction = 'outbound'`
    ),
    ([found]) => found
  )

/** The newest records that fit, and how many there are. */
export const newest = ({
  limit = 100,
  ...filter
}: DeliveryFilter): Effect.Effect<Page<Delivery>, never, Sql> =>
  Effect.zipWith(
    select((sql) => sql`WHERE ${where(sql, filter)} ORDER BY seq DESC LIMIT ${limit}`),
    firstRow<{ n: number }>(
      (sql) => sql`SELECT COUNT(*) AS n FROM communication_deliveries WHERE ${where(sql, filter)}`
    ),
    (items, count) => ({ items, total: count?.n ?? 0 })
  )

/** When an adapter last delivered something, in milliseconds. */
export const lastSuccess = (adapterId: string): Effect.Effect<number | null, never, Sql> =>
  Effect.map(
    firstRow<{ at: number }>(
      sql`
        SELECT updated_at AS at FROM communication_deliveries
        WHERE adapter_id = ${adapterId} AND direction = 'outbound' AND status = 'success'
        ORDER BY seq DESC LIMIT 1`
    ),
    (found) => found?.at ?? null
  )

/**
 * Takes away those of the oldest records of what came in that lie in the past, and gives how many those were. Those of
 * what went out stay: they say that it must not go out again.
 */
export const forgetOld = ({ before, newest }: Past, size: number): Effect.Effect<number, never, Sql> =>
  Effect.map(
    rows(
      sql`
        DELETE FROM communication_deliveries WHERE created_at < ${before} AND seq IN (
          SELECT seq FROM communication_deliveries
          WHERE direction = 'inbound' AND seq <= (SELECT MAX(seq) FROM communication_deliveries) - ${newest}
          ORDER BY seq LIMIT ${size})
        RETURNING seq`
    ),
    ({ length }) => length
  )

const where = (sql: Compose, { adapterId, direction, squadMessageId, status }: DeliveryFilter) =>
  sql.and([
    ...(adapterId === undefined ? [] : [sql`adapter_id = ${adapterId}`]),
    ...(direction === undefined ? [] : [sql`direction = ${direction}`]),
    ...(squadMessageId === undefined ? [] : [sql`squad_message_id = ${squadMessageId}`]),
    ...(status === undefined ? [] : [sql`status = ${status}`])
  ])

const select = (tail: (sql: Compose) => Fragment): Effect.Effect<ReadonlyArray<Delivery>, never, Sql> =>
  Effect.map(
    rows<DeliveryRow>(
      (sql) => sql`
        SELECT id, adapter_id AS adapterId, direction, status, reason_code AS reasonCode, detail,
          squad_message_id AS squadMessageId, event_id AS eventId, kind, pubkey,
          event_at AS eventCreatedAt, channel_id AS channelId, community, actor,
          times, created_at AS createdAt, updated_at AS updatedAt
        FROM communication_deliveries ${tail(sql)}`
    ),
    (found) =>
      found.map(({ createdAt, updatedAt, ...row }) => ({
        ...row,
        createdAt: iso(createdAt),
        updatedAt: iso(updatedAt)
      }))
  )
