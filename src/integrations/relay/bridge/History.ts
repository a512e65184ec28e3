import { Effect, Ref } from "effect"
import { now } from "../../../kernel/Time.ts"
import { Storage } from "../../../storage/Storage.ts"
import * as MappingRepo from "../channels/MappingRepo.ts"
import { type Connection, RelayClient, type RelayFailure } from "../client/RelayClient.ts"
import * as CatchUp from "../inbound/CatchUp.ts"
import { advance, asked, ingest } from "../inbound/Ingest.ts"
import * as PendingRepo from "../inbound/PendingRepo.ts"
import { attachToRoot } from "../inbound/Projection.ts"
import type { Place } from "../inbound/Unit.ts"
import { channelKinds, kinds, type NostrEvent } from "../nostr/Event.ts"
import type { Verifier } from "../nostr/Verifier.ts"
import { countRejected, type State } from "./RuntimeState.ts"

/** How far a relay lets the time of an event differ from its own, in seconds: an event may come so much too late. */
export const overlap = 900

/** How long an answer may wait for what it answers, when its root is here, in milliseconds. */
const patience = 900_000

/** How many missing events are asked for at once. */
const lookups = 100

type Means = Storage | RelayClient | Verifier

/** From when on a channel is read again, in seconds: what is confirmed may still have gained late events. */
export const readFrom = ({ at, confirmedAt }: MappingRepo.Cursor): number =>
  Math.max(0, Math.min(at ?? confirmedAt, confirmedAt) - overlap)

/**
 * Brings in everything that a channel has had since it was last confirmed, oldest first. A window is confirmed when
 * all of it is stored; one that the relay can't give whole stays unconfirmed and is told. Gives what was new.
 */
export const catchUp = (
  connection: Connection,
  place: Place,
  state: State
): Effect.Effect<ReadonlyArray<NostrEvent>, RelayFailure, Means> =>
  Effect.gen(function* () {
    const storage = yield* Storage
    const { query } = yield* RelayClient
    const { mapping } = place
    const stored = yield* storage.read(MappingRepo.find(mapping.id))
    if (stored === undefined) return []
    const ask = (filter: Parameters<Parameters<typeof CatchUp.readWindow>[0]>[0]) =>
      query(connection, { kinds: channelKinds, "#h": [mapping.channelId], ...filter })
    const fresh: Array<NostrEvent> = []
    // Windows in the order of time; one that holds too much is replaced by its halves.
    const windows: Array<CatchUp.Window> = [
      {
        since: Math.max(0, stored.cursor.confirmedAt - overlap),
        until: Math.floor((yield* now) / 1_000) + overlap
      }
    ]
    let whole = true
    for (let window = windows.shift(); window !== undefined; window = windows.shift()) {
      const page = yield* CatchUp.readWindow(ask, window)
      if (page._tag === "TooMuch") {
        windows.unshift(...CatchUp.halves(window))
        continue
      }
      const found = yield* ingest(page.received, place, asked)
      yield* countRejected(state, found.rejected)
      for (const event of found.fresh) fresh.push(event)
      whole = whole && page._tag === "Whole"
      yield* advance(mapping.id, whole ? found.fresh : [], whole ? window.until : undefined)
    }
    yield* Ref.update(state, (before) => ({ ...before, historyGap: !whole }))
    yield* lookUpMissing(connection, place, state)
    return fresh
  })

/** Asks for what replies wait for, by its id: it may be older than everything that was read. */
const lookUpMissing = (
  connection: Connection,
  place: Place,
  state: State
): Effect.Effect<void, RelayFailure, Means> =>
  Effect.gen(function* () {
    const storage = yield* Storage
    const { query } = yield* RelayClient
    const { mapping } = place
    const missing = yield* storage.read(PendingRepo.missing(mapping.id, lookups))
    if (missing.length === 0) return
    const received = yield* query(connection, {
      ids: missing,
      kinds: [kinds.message],
      "#h": [mapping.channelId],
      limit: missing.length
    })
    const { rejected } = yield* ingest(received, place, asked)
    yield* countRejected(state, rejected)
    // What is still missing is gone. Its answers belong to their root, once there was time for it to appear.
    const stranded = yield* storage.read(PendingRepo.longWaiting(mapping.id, (yield* now) - patience))
    yield* Effect.forEach(stranded, (pending) => storage.write(attachToRoot(pending, place)), {
      discard: true
    })
    yield* advance(mapping.id, [])
  })
