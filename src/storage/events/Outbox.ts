import { Effect, Schema } from "effect"
import type { Past } from "../Retention.ts"
import { singleton } from "../Singleton.ts"
import { firstRow, type Query, rows, run, type Sql, sql } from "../Sql.ts"
import type { Change } from "./Change.ts"

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

/** The statement that appends an event to the stream of its resource. */
export const appending = (change: Change, at: number): Query => sql`
  INSERT INTO outbox (resource, resource_id, stream_seq, kind, payload, actor, created_at)
  SELECT ${change.resource}, ${change.resourceId}, COALESCE(MAX(stream_seq), 0) + 1, ${change.kind},
    ${JSON.stringify(change.payload)}, ${change.by.name}, ${at}
  FROM outbox WHERE resource = ${change.resource} AND resource_id = ${change.resourceId}`

/** The next events of the whole store after a cursor, oldest first. */
export const after = (cursor: number, limit: number): Effect.Effect<ReadonlyArray<OutboxEvent>, never, Sql> =>
  between(cursor, Number.MAX_SAFE_INTEGER, limit)

/** The next events after a cursor, up to a place, oldest first. */
export const between = (
  cursor: number,
  end: number,
  limit: number
): Effect.Effect<ReadonlyArray<OutboxEvent>, never, Sql> =>
  rows<OutboxEvent>(
    sql`
      SELECT seq, resource, resource_id AS resourceId, stream_seq AS streamSeq, kind, payload, actor,
        created_at AS createdAt
      FROM outbox WHERE seq > ${cursor} AND seq <= ${end} ORDER BY seq LIMIT ${limit}`
  )

/** The next events after a cursor, up to a place, that nothing has followed in their stream since. */
export const latestBetween = (
  cursor: number,
  end: number,
  limit: number
): Effect.Effect<ReadonlyArray<OutboxEvent>, never, Sql> =>
  rows<OutboxEvent>(
    sql`
      SELECT seq, resource, resource_id AS resourceId, stream_seq AS streamSeq, kind, payload, actor,
        created_at AS createdAt
      FROM outbox event
      WHERE seq > ${cursor} AND seq <= ${end} AND NOT EXISTS (
        SELECT 1 FROM outbox later
        WHERE later.resource = event.resource AND later.resource_id = event.resource_id
          AND later.stream_seq > event.stream_seq)
      ORDER BY seq LIMIT ${limit}`
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

/** Where it is kept up to which event old ones were looked at. */
const lastPassed = singleton("outbox-passed", Schema.Int)

/** An event that may be old enough. */
interface Candidate {
  readonly seq: number
  readonly createdAt: number
}

/**
 * The next events that may go, oldest first: those that every read model has taken in, and that are not among the newest.
 * The newest of all never goes, so that the head stays where it is.
 */
const candidates = (passed: number, newest: number, limit: number) =>
  rows<Candidate>(
    sql`
      SELECT seq, created_at AS createdAt FROM outbox
      WHERE seq > ${passed} AND seq <= (SELECT MAX(seq) FROM outbox) - ${Math.max(1, newest)}
        AND seq <= COALESCE((SELECT MIN(cursor) FROM projections), ${Number.MAX_SAFE_INTEGER})
      ORDER BY seq LIMIT ${limit}`
  )

/**
 * Passes the next old events, and takes the one before each of them out of its stream: so of all that were passed, a
 * stream holds the newest, without a gap to what follows. Of the resources named, all that were passed go.
 */
export const forgetOld =
  (passing: ReadonlyArray<string>) =>
  ({ before, newest }: Past, size: number): Effect.Effect<number, never, Sql> =>
    Effect.gen(function* () {
      const passed = (yield* lastPassed.read) ?? 0
      const found = yield* candidates(passed, newest, size)
      const young = found.findIndex(({ createdAt }) => createdAt >= before)
      const old = young === -1 ? found : found.slice(0, young)
      const last = old.at(-1)?.seq
      if (last === undefined) return 0
      yield* run(
        sql`
          DELETE FROM outbox WHERE seq IN (
            SELECT earlier.seq FROM outbox old JOIN outbox earlier
              ON earlier.resource = old.resource AND earlier.resource_id = old.resource_id
                AND earlier.stream_seq = old.stream_seq - 1
            WHERE old.seq > ${passed} AND old.seq <= ${last})`
      )
      if (passing.length > 0) {
        yield* run(
          (sql) =>
            sql`DELETE FROM outbox WHERE seq > ${passed} AND seq <= ${last} AND ${sql.in("resource", passing)}`
        )
      }
      yield* lastPassed.write(last)
      return old.length
    })
