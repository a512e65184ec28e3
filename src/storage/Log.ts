import { Effect, type Scope } from "effect"
import { now } from "../kernel/Time.ts"
import * as Worker from "../kernel/Worker.ts"
import type { Stream } from "./events/Outbox.ts"
import type { Gap } from "./events/Subscription.ts"
import { firstRow, rows, run, type Sql, sql, together } from "./Sql.ts"
import { Storage } from "./Storage.ts"

/*
 * The log holds streams of many small facts: what a run says and does, hundreds of times a second. The outbox tells what
 * happened to resources and is linked into the audit chain; what stands here is told to whoever follows the stream, and
 * to nobody else, and is kept by rule.
 */

/** A small fact. `payload` is JSON, free of secrets: what stands here goes to followers as it is. */
export interface Fact {
  readonly kind: string
  readonly payload: string
}

/** A fact as the log holds it. `sequence` counts the facts of its stream from 1, without gaps; `at` is in milliseconds. */
export interface Entry extends Fact {
  readonly sequence: number
  readonly at: number
}

/** The next facts of a stream behind a cursor, oldest first. */
export interface Page {
  readonly entries: ReadonlyArray<Entry>
  /** The newest sequence of the stream; 0 when nothing was ever said in it. */
  readonly head: number
  /** What lay between the cursor and the first sequence that is kept: it is gone. */
  readonly gap?: Gap
}

/** What is kept of each stream of a kind of resource: its newest facts, so many of them, until they are so old. */
export interface Rule {
  readonly resource: string
  readonly newest: number
  readonly milliseconds: number
}

/** What a stream of the log is called by those who wait for it (`Wakes.of`). */
export const nameOf = ({ resource, resourceId }: Stream): string => `log:${resource}:${resourceId}`

/** The last sequence that a stream has room for: a thousand facts a second are fifty days of them. */
const lastSequence = 2 ** 32 - 1

/** Where a fact stands in the log: its stream and its sequence as one number. Those of a stream stand together. */
const placeOf = (stream: number, sequence: number): bigint =>
  (BigInt(stream) << 32n) | BigInt(Math.min(sequence, lastSequence))

/** Appends facts to a stream, and gives the sequence of the last of them. One commit wakes its followers once. */
export const append = (stream: Stream, facts: ReadonlyArray<Fact>): Effect.Effect<number, never, Sql> =>
  Effect.gen(function* () {
    if (facts.length === 0) return yield* headOf(stream)
    const at = yield* now
    // A step for each fact would cost as much as the fact.
    return yield* together([nameOf(stream)], (execute) => {
      const [lengthened] = execute<{ id: number; head: number }>(
        sql`
          INSERT INTO log_streams (resource, resource_id, head, kept, oldest_at)
          VALUES (${stream.resource}, ${stream.resourceId}, ${facts.length}, ${facts.length}, ${at})
          ON CONFLICT (resource, resource_id) DO UPDATE SET head = head + excluded.head,
            kept = kept + excluded.kept, oldest_at = COALESCE(oldest_at, excluded.oldest_at)
          RETURNING id, head`
      )
      if (lengthened === undefined) throw new Error("A stream of the log took no facts")
      const { head, id } = lengthened
      let sequence = head - facts.length
      for (const { kind, payload } of facts) {
        sequence += 1
        execute(
          sql`
            INSERT INTO log (place, at, kind, payload)
            VALUES (${placeOf(id, sequence)}, ${at}, ${kind}, ${payload})`
        )
      }
      return head
    })
  })

interface StreamRow {
  readonly id: number
  readonly head: number
  readonly kept: number
}

const find = ({ resource, resourceId }: Stream): Effect.Effect<StreamRow | undefined, never, Sql> =>
  firstRow<StreamRow>(
    sql`SELECT id, head, kept FROM log_streams WHERE resource = ${resource} AND resource_id = ${resourceId}`
  )

/** The newest sequence of a stream; 0 when nothing was ever said in it. What is no longer kept still counts. */
export const headOf = (stream: Stream): Effect.Effect<number, never, Sql> =>
  Effect.map(find(stream), (found) => found?.head ?? 0)

/** When the newest fact of a stream was said, in milliseconds since the epoch; undefined when it is no longer kept. */
export const newestAt = (stream: Stream): Effect.Effect<number | undefined, never, Sql> =>
  Effect.map(
    firstRow<{ at: number }>(
      sql`
        SELECT log.at AS at FROM log_streams JOIN log ON log.place = ((log_streams.id << 32) | log_streams.head)
        WHERE log_streams.resource = ${stream.resource} AND log_streams.resource_id = ${stream.resourceId}`
    ),
    (found) => found?.at
  )

/** How many facts a page has at the most. */
const pageLimit = 1_000

/** The next facts of a stream after a cursor: 0 is its beginning. A page never has more than a thousand. */
export const after = (stream: Stream, cursor: number, limit: number): Effect.Effect<Page, never, Sql> =>
  Effect.gen(function* () {
    const found = yield* find(stream)
    if (found === undefined) return { entries: [], head: 0 }
    const { head, id, kept } = found
    const entries = yield* rows<Entry>(
      sql`
        SELECT place & ${lastSequence} AS sequence, at, kind, payload FROM log
        WHERE place > ${placeOf(id, cursor)} AND place <= ${placeOf(id, lastSequence)}
        ORDER BY place LIMIT ${Math.min(limit, pageLimit)}`
    )
    const gone = head - kept
    return { entries, head, ...(cursor < gone ? { gap: { from: cursor + 1, to: gone } } : {}) }
  })

/**
 * Forgets a stream, for when its resource is deleted: nothing of it is read any more, and one of the same name begins
 * at 1. Its facts may be a hundred thousand, so they are taken away by `prune`.
 */
export const forget = ({ resource, resourceId }: Stream): Effect.Effect<void, never, Sql> =>
  Effect.gen(function* () {
    const [gone] = yield* rows<{ id: number }>(
      sql`DELETE FROM log_streams WHERE resource = ${resource} AND resource_id = ${resourceId} RETURNING id`
    )
    if (gone !== undefined) yield* run(sql`INSERT INTO log_leftovers (stream) VALUES (${gone.id})`)
  })

/** How many facts are taken away in one unit: some milliseconds of work. */
const pieceSize = 1_000

/** Takes away a piece of what a forgotten stream left behind, and tells whether there was any. */
const pruneLeftovers: Effect.Effect<boolean, never, Sql> = Effect.gen(function* () {
  const leftover = yield* firstRow<{ stream: number; first: number | null }>(
    sql`
      SELECT stream, (
        SELECT MIN(place) & ${lastSequence} FROM log
        WHERE place BETWEEN stream << 32 AND (stream << 32) | ${lastSequence}) AS "first"
      FROM log_leftovers ORDER BY stream LIMIT 1`
  )
  if (leftover === undefined) return false
  const { first, stream } = leftover
  yield* first === null
    ? run(sql`DELETE FROM log_leftovers WHERE stream = ${stream}`)
    : run(
        sql`DELETE FROM log WHERE place BETWEEN ${placeOf(stream, first)} AND ${placeOf(stream, first + pieceSize - 1)}`
      )
  return true
})

/** The longest stream of a rule that is too long, and up to which sequence it goes. */
const tooLong = ({ newest, resource }: Rule) =>
  Effect.map(
    firstRow<StreamRow>(
      sql`
        SELECT id, head, kept FROM log_streams WHERE resource = ${resource} AND kept > ${newest}
        ORDER BY kept DESC LIMIT 1`
    ),
    (long) => long && { ...long, upTo: long.head - newest }
  )

/** The stream of a rule that holds the oldest fact of all, if that is too old, and up to which sequence it goes. */
const tooOld = ({ milliseconds, resource }: Rule) =>
  Effect.gen(function* () {
    const since = (yield* now) - milliseconds
    const old = yield* firstRow<StreamRow>(
      sql`
        SELECT id, head, kept FROM log_streams WHERE resource = ${resource} AND oldest_at < ${since}
        ORDER BY oldest_at LIMIT 1`
    )
    if (old === undefined) return undefined
    const young = yield* firstRow<{ sequence: number | null }>(
      sql`
        SELECT MIN(sequence) AS sequence FROM (
          SELECT place & ${lastSequence} AS sequence, at FROM log
          WHERE place BETWEEN ${placeOf(old.id, 0)} AND ${placeOf(old.id, lastSequence)}
          ORDER BY place LIMIT ${pieceSize}
        ) AS oldest WHERE at >= ${since}`
    )
    return { ...old, upTo: (young?.sequence ?? old.head + 1) - 1 }
  })

/**
 * Takes away a piece of what a rule does not keep, or of what was forgotten, and tells whether there was any. It is done
 * when there is none.
 */
export const prune = (rule: Rule): Effect.Effect<boolean, never, Sql> =>
  Effect.gen(function* () {
    if (yield* pruneLeftovers) return true
    const found = (yield* tooLong(rule)) ?? (yield* tooOld(rule))
    if (found === undefined) return false
    const gone = found.head - found.kept
    const last = Math.min(found.upTo, gone + pieceSize)
    yield* run(
      sql`DELETE FROM log WHERE place BETWEEN ${placeOf(found.id, 0)} AND ${placeOf(found.id, last)}`
    )
    yield* run(
      sql`
        UPDATE log_streams SET kept = head - ${last},
          oldest_at = (SELECT at FROM log WHERE place = ${placeOf(found.id, last + 1)})
        WHERE id = ${found.id}`
    )
    return true
  })

/** How often the rules are looked at. */
const nap = "1 minute"

/** Keeps the rules for the life of the scope. */
export const keep = (
  rules: ReadonlyArray<Rule>
): Effect.Effect<void, never, Storage | Worker.Workers | Scope.Scope> =>
  Effect.flatMap(Storage, ({ write }) =>
    Worker.start(
      "log",
      Effect.forEach(rules, (rule) => Effect.repeat(write(prune(rule)), { while: (more) => more }), {
        discard: true
      }).pipe(Effect.zipRight(Effect.sleep(nap)))
    )
  )
