import { Effect } from "effect"
import type { Change } from "./Change.ts"
import { firstRow, moves, rows, run, type Sql, sql } from "./Sql.ts"

/**
 * An event as the outbox holds it: the truth about what happened, in the order of the commits. `seq` counts all
 * events of the store, `streamSeq` those of one resource, without gaps.
 */
export interface OutboxEvent {
  readonly seq: number
  readonly resource: string
  readonly resourceId: string
  readonly streamSeq: number
  readonly kind: string
  readonly payload: string
  readonly actor: string
  readonly createdAt: number
}

/** One resource's own events. */
export interface Stream {
  readonly resource: string
  readonly resourceId: string
}

/** What the whole of the outbox is called by those who wait for any event. */
export const anyEvent = "outbox"

/** Appends an event to the stream of its resource. */
export const append = (change: Change, at: number): Effect.Effect<void, never, Sql> =>
  Effect.zipRight(
    moves(anyEvent, change.resource),
    run(
      sql`
        INSERT INTO outbox (resource, resource_id, stream_seq, kind, payload, actor, created_at)
        SELECT ${change.resource}, ${change.resourceId}, COALESCE(MAX(stream_seq), 0) + 1, ${change.kind},
          ${JSON.stringify(change.payload)}, ${change.by.name}, ${at}
        FROM outbox WHERE resource = ${change.resource} AND resource_id = ${change.resourceId}`
    )
  )

/** The next events of the whole store after a cursor, oldest first. */
export const after = (cursor: number, limit: number): Effect.Effect<ReadonlyArray<OutboxEvent>, never, Sql> =>
  rows<OutboxEvent>(
    sql`
      SELECT seq, resource, resource_id AS resourceId, stream_seq AS streamSeq, kind, payload, actor,
        created_at AS createdAt
      FROM outbox WHERE seq > ${cursor} ORDER BY seq LIMIT ${limit}`
  )

/** The next events of one stream after a cursor, oldest first. */
export const afterInStream = (
  { resource, resourceId }: Stream,
  cursor: number,
  limit: number
): Effect.Effect<ReadonlyArray<OutboxEvent>, never, Sql> =>
  rows<OutboxEvent>(
    sql`
      SELECT seq, resource, resource_id AS resourceId, stream_seq AS streamSeq, kind, payload, actor,
        created_at AS createdAt
      FROM outbox WHERE resource = ${resource} AND resource_id = ${resourceId} AND stream_seq > ${cursor}
      ORDER BY stream_seq LIMIT ${limit}`
  )

/** The newest cursor of the whole store; 0 when nothing has happened yet. */
export const head: Effect.Effect<number, never, Sql> = Effect.map(
  firstRow<{ seq: number | null }>(sql`SELECT MAX(seq) AS seq FROM outbox`),
  (row) => row?.seq ?? 0
)

/** The newest cursor of one stream; 0 when it is empty. */
export const streamHead = ({ resource, resourceId }: Stream): Effect.Effect<number, never, Sql> =>
  Effect.map(
    firstRow<{ seq: number | null }>(
      sql`
        SELECT MAX(stream_seq) AS seq FROM outbox WHERE resource = ${resource} AND resource_id = ${resourceId}`
    ),
    (row) => row?.seq ?? 0
  )
