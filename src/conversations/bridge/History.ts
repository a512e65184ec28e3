import { Effect, Ref } from "effect"
import { now } from "../../kernel/Time.ts"
import { Storage } from "../../storage/Storage.ts"
import type { Place } from "../inbox/Place.ts"
import { advance, asked, attachToRoot, ingest, longWaiting, missingParents } from "../inbox/Units.ts"
import type { Cursor } from "../mappings/Mapping.ts"
import { findMapping } from "../mappings/Units.ts"
import { channelKinds, kinds, type NostrEvent } from "../wire/NostrEvent.ts"
import { type Connection, RelayClient, type RelayFailure } from "../wire/RelayClient.ts"
import type { Verifier } from "../wire/Verifier.ts"
import * as CatchUp from "./CatchUp.ts"
import { countRejected, type State } from "./RuntimeState.ts"

/**
 * How much of what is confirmed is read again, in seconds. A relay lets an event come 900 s too late by its own clock;
 * that clock may differ from ours by nearly a minute, and what answers a query may be a replica that lags.
 */
export const overlap = 1_200

/** What a live subscription must have brought by itself, in seconds after it happened. */
export const hearing = 10

/** How long an answer may wait for what it answers, when its root is here, in milliseconds. */
const patience = 900_000

/** How many missing events are asked for at once. */
const lookups = 100

type Means = Storage | RelayClient | Verifier

/** The time from which a channel is read again, in seconds: events may still have come late to what is confirmed. */
export const readFrom = ({ at, confirmedAt }: Cursor): number =>
  Math.max(0, Math.min(at ?? confirmedAt, confirmedAt) - overlap)

/** What came of reading a channel. */
export interface Caught {
  /** Nothing is missing up to the time at which the reading began. */
  readonly complete: boolean
  /** The time of the newest event that was new here although the subscription should have brought it; in seconds. */
  readonly overdue: number | undefined
}

/**
 * Brings in everything that a channel has had since it was last confirmed, oldest first. A window is confirmed when all
 * of it is stored; one that the relay can't give whole stays unconfirmed, and the health says so. A relay tells those
 * who may not see a channel that it is empty, so nothing is confirmed unless `sees` gives one accepted subscription
 * from the first query on. `bringing` lets one unit run at a time.
 */
export const catchUp = (
  connection: Connection,
  place: Place,
  state: State,
  sees: Effect.Effect<string | undefined>,
  bringing: <A, E, R>(unit: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
): Effect.Effect<Caught, RelayFailure, Means> =>
  Effect.gen(function* () {
    const storage = yield* Storage
    const { query } = yield* RelayClient
    const { mapping } = place
    const stored = yield* storage.read(findMapping(mapping.id))
    if (stored === undefined) return { complete: false, overdue: undefined }
    const seen = yield* sees
    const isSeen = Effect.map(sees, (still) => seen !== undefined && still === seen)
    const ask = (filter: Parameters<Parameters<typeof CatchUp.readWindow>[0]>[0]) =>
      query(connection, { kinds: channelKinds, "#h": [mapping.channelId], ...filter })
    let overdue: number | undefined
    const startedAt = yield* seconds
    // Windows in the order of time; one that holds too much is replaced by its halves.
    const windows: Array<CatchUp.Window> = [
      {
        since: Math.max(0, Math.min(stored.cursor.confirmedAt, startedAt) - overlap),
        until: startedAt + overlap
      }
    ]
    let whole = true
    for (let window = windows.shift(); window !== undefined; window = windows.shift()) {
      const readAt = yield* seconds
      const page = yield* CatchUp.readWindow(ask, window)
      if (page._tag === "TooMuch") {
        windows.unshift(...CatchUp.halves(window))
        continue
      }
      const found = yield* bringing(ingest(page.received, place, asked))
      yield* countRejected(state, found.rejected)
      overdue = newestOf(found.fresh, overdue, readAt - hearing)
      whole = whole && page._tag === "Whole"
      // What comes while the window is read may be older than its end: only the time before the reading is confirmed.
      if (whole && (yield* isSeen)) yield* advance(mapping.id, found.fresh, Math.min(window.until, readAt))
    }
    yield* Ref.update(state, (before) => ({ ...before, historyGap: !whole }))
    yield* lookUpMissing(connection, place, state, isSeen, bringing)
    return { complete: whole && (yield* isSeen), overdue }
  })

const seconds = Effect.map(now, (at) => Math.floor(at / 1_000))

const newestOf = (
  events: ReadonlyArray<NostrEvent>,
  before: number | undefined,
  end: number
): number | undefined =>
  events.reduce(
    (newest, { created_at: created }) => (created < end && created > (newest ?? 0) ? created : newest),
    before
  )

/**
 * Asks for what replies wait for, by its id: it may be older than everything that was read. What is found may wait for
 * something itself, and a relay may give less than it is asked for: the queries go on until they bring nothing new.
 */
const lookUpMissing = (
  connection: Connection,
  place: Place,
  state: State,
  isSeen: Effect.Effect<boolean>,
  bringing: Parameters<typeof catchUp>[4]
): Effect.Effect<void, RelayFailure, Means> =>
  Effect.gen(function* () {
    const storage = yield* Storage
    const { mapping } = place
    for (let news = true; news; ) {
      news = false
      const missing = yield* storage.read(missingParents(mapping.id))
      for (let start = 0; start < missing.length; start += lookups) {
        const received = yield* byIds(connection, place, missing.slice(start, start + lookups))
        const { fresh, rejected } = yield* bringing(ingest(received, place, asked))
        yield* countRejected(state, rejected)
        news = news || fresh.length > 0
      }
    }
    if (!(yield* isSeen)) return
    // What is still missing is gone. Replies to it are attached to their root, once it has had time to appear.
    const stranded = yield* storage.read(longWaiting(mapping.id, (yield* now) - patience))
    yield* Effect.forEach(stranded, (pending) => storage.write(attachToRoot(pending, place)), {
      discard: true
    })
    yield* advance(mapping.id, [])
  })

/** Events by their ids, in several answers when one would be too large. */
const byIds = (
  connection: Connection,
  place: Place,
  ids: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<unknown>, RelayFailure, RelayClient> =>
  Effect.flatMap(RelayClient, ({ query }) =>
    query(connection, {
      ids,
      kinds: [kinds.message],
      "#h": [place.mapping.channelId],
      limit: ids.length
    })
  ).pipe(
    Effect.catchIf(
      ({ reason }) => reason === "response_too_large" && ids.length > 1,
      () => {
        const some = Math.ceil(ids.length / 4)
        const parts = Array.from({ length: Math.ceil(ids.length / some) }, (_, part) =>
          ids.slice(part * some, (part + 1) * some)
        )
        return Effect.map(
          Effect.forEach(parts, (part) => byIds(connection, place, part)),
          (all) => all.flat()
        )
      }
    )
  )
