import { Cause, Duration, Effect, Queue, type Scope } from "effect"
import * as Worker from "../../kernel/Worker.ts"
import { firstRow, run, type Sql, sql } from "../Sql.ts"
import { Storage, type StorageService } from "../Storage.ts"
import * as Wakes from "../Wakes.ts"
import * as Outbox from "./Outbox.ts"

/** A read model that is made from the outbox: an index, counters, a queue of deliveries. */
export interface Projection {
  /** Its name for good: the cursor is stored under it. */
  readonly name: string
  /** Takes in one event, in the unit that moves the cursor past it: each event counts exactly once. */
  readonly apply: (event: Outbox.OutboxEvent) => Effect.Effect<void, never, Sql>
  /** The resources whose events it takes in; without them, all. */
  readonly resources?: ReadonlyArray<string>
  /** How long it lets events gather before it takes them in together: a quarter of a second, unless it says otherwise. */
  readonly gather?: Duration.DurationInput
  /** True when it takes a resource in as it is now: of all that happened to one, the last event does for all. */
  readonly takesLatest?: boolean
}

/** A projection at work. */
export interface Kept {
  /** Takes in everything that is committed by now, so that a read after it sees what was written before. */
  readonly catchUp: Effect.Effect<void>
}

/** How many events are taken in together when somebody waits for them, and when nobody does. */
const pageSize = 256
const gentlePageSize = 64

/** After how many milliseconds a unit takes no further event in: a page of long texts is several units. */
const unitMs = 5

/** How much longer than its work the worker rests, again and again, while requests take half of the thread. */
const restFactor = 2

/** How often it does so at the most: what is behind by then has waited long enough. */
const restLimit = 20

/** So many events behind, it rests once: whoever asks for what it makes waits for them. */
const behindLimit = 10_000

/** How long it waits for an event of its resources before it passes the others: what it has not passed is not forgotten. */
const longestWait = Duration.hours(1)

/** How long all projections of this process have worked so far, in milliseconds: nobody makes room for another of them. */
let worked = 0

/** Whether others take the thread: a question that is answered for the time since it was begun. */
const watchOthers = () => {
  const [begun, before] = [performance.eventLoopUtilization(), worked]
  return (): boolean => {
    const { active, idle } = performance.eventLoopUtilization(begun)
    return active - (worked - before) > (active + idle) / 2
  }
}

/** What is taken in next: these events stand for all up to a place. */
interface Page {
  readonly events: ReadonlyArray<Outbox.OutboxEvent>
  readonly through: number
  /** Whether more has happened since. */
  readonly more: boolean
}

/** How many events are passed at the most to find those of a page: it bounds the search, and what a page stands for. */
const window = 2_000

/** The next page after a cursor; undefined when nothing has happened since. */
const pageAfter = (
  cursor: number,
  size: number,
  takesLatest: boolean
): Effect.Effect<Page | undefined, never, Sql> =>
  Effect.gen(function* () {
    const head = yield* Outbox.head
    if (head <= cursor) return undefined
    const end = Math.min(head, cursor + window)
    const events = yield* (takesLatest ? Outbox.latestBetween : Outbox.between)(cursor, end, size)
    const through = events.length === size ? (events.at(-1)?.seq ?? end) : end
    return { events, through, more: through < head }
  })

const cursorOf = (name: string): Effect.Effect<number | undefined, never, Sql> =>
  Effect.map(
    firstRow<{ cursor: number }>(sql`SELECT cursor FROM projections WHERE name = ${name}`),
    (row) => row?.cursor
  )

const moveTo = (name: string, cursor: number): Effect.Effect<void, never, Sql> =>
  run(
    sql`
      INSERT INTO projections (name, cursor) VALUES (${name}, ${cursor})
      ON CONFLICT (name) DO UPDATE SET cursor = excluded.cursor`
  )

/** Before the first event of the resources, or behind all events: a new projection does not pass an old board's million. */
const beginningOf = (resources: ReadonlyArray<string>): Effect.Effect<number, never, Sql> =>
  Effect.flatMap(
    firstRow<{ seq: number | null }>(
      sql`SELECT MIN(seq) AS seq FROM outbox WHERE resource IN (SELECT value FROM json_each(${JSON.stringify(resources)}))`
    ),
    (first) => (typeof first?.seq === "number" ? Effect.succeed(first.seq - 1) : Outbox.head)
  )

/**
 * Where a projection goes on. A new one is known in storage before it has taken anything in: no event is forgotten that
 * one of them has still to take in. One that is given up leaves by a migration, or it would hold all events for good.
 */
const resume = (storage: StorageService, { name, resources }: Projection): Effect.Effect<number> =>
  Effect.flatMap(storage.read(cursorOf(name)), (known) =>
    known === undefined
      ? storage.write(
          Effect.gen(function* () {
            const cursor = resources === undefined ? 0 : yield* beginningOf(resources)
            yield* moveTo(name, cursor)
            return cursor
          })
        )
      : Effect.succeed(known)
  )

/**
 * Keeps a projection for the life of the scope. A worker follows the commits and takes events in page by page, each page
 * in one unit with the cursor. An event that can't be taken in is logged and passed over: it must not hold up all that
 * come after it.
 */
export const keep = (
  projection: Projection
): Effect.Effect<Kept, never, Storage | Worker.Workers | Scope.Scope> =>
  Effect.gen(function* () {
    const storage = yield* Storage
    const { apply, gather = Duration.millis(250), name, takesLatest = false } = projection
    const { resources: streams = [Outbox.anyEvent] } = projection
    const turn = yield* Effect.makeSemaphore(1)
    let cursor = yield* resume(storage, projection)

    /** Takes in as many events of a page as one unit has time for, and gives the place up to which it came. */
    const take = ({ events, through }: Omit<Page, "more">) =>
      storage.write(
        Effect.gen(function* () {
          const begun = performance.now()
          let last = through
          for (const event of events) {
            yield* apply(event)
            if (performance.now() < begun + unitMs) continue
            last = event.seq
            break
          }
          yield* moveTo(name, last)
          worked += performance.now() - begun
          return last
        })
      )

    const takeOne = (event: Outbox.OutboxEvent) =>
      Effect.catchAllCause(take({ events: [event], through: event.seq }), (cause) =>
        Cause.isInterrupted(cause)
          ? Effect.failCause(cause)
          : Effect.logError(`The projection ${name} passes over event ${event.seq}`, cause).pipe(
              Effect.zipRight(storage.write(moveTo(name, event.seq))),
              Effect.as(event.seq)
            )
      )

    const takePage = (size: number) =>
      Effect.gen(function* () {
        const page = yield* storage.read(pageAfter(cursor, size, takesLatest))
        if (page === undefined) return false
        const { events, more, through } = page
        cursor = yield* Effect.catchAllCause(take(page), (cause) =>
          Cause.isInterrupted(cause)
            ? Effect.failCause(cause)
            : Effect.as(Effect.forEach(events, takeOne, { discard: true }), events.at(-1)?.seq ?? through)
        )
        return more || cursor < through
      })

    const catchUp = Effect.gen(function* () {
      const head = yield* storage.read(Outbox.head)
      while (cursor < head) if (!(yield* takePage(pageSize))) return
    }).pipe(turn.withPermits(1))

    const isFarBehind = Effect.map(storage.read(Outbox.head), (head) => head > cursor + behindLimit)

    /** Follows the commits while nobody waits: under load it falls behind, and comes up when there is time. */
    const follow = Effect.gen(function* () {
      let more = true
      while (more) {
        let othersWork = watchOthers()
        const [took, full] = yield* Effect.timed(turn.withPermits(1)(takePage(gentlePageSize)))
        more = full
        for (let rests = 0; more && rests < restLimit && othersWork(); rests++) {
          othersWork = watchOthers()
          yield* Effect.sleep(Duration.times(took, restFactor))
          if (yield* isFarBehind) break
        }
      }
    })

    const bell = yield* Wakes.of(...streams)
    yield* bell.offer(undefined)
    yield* Worker.start(
      `projection:${name}`,
      Queue.take(bell).pipe(
        Effect.timeoutOption(longestWait),
        Effect.zipRight(Effect.sleep(gather)),
        Effect.zipRight(follow)
      )
    )
    return { catchUp }
  })
