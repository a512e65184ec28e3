import { Effect, Either } from "effect"
import { now } from "../../kernel/Time.ts"
import { Storage } from "../../storage/Storage.ts"
import { recordDelivery } from "../deliveries/Units.ts"
import { findMapping, moveCursor } from "../mappings/Units.ts"
import { settleEcho } from "../outbox/Units.ts"
import { byPlace, type NostrEvent } from "../wire/NostrEvent.ts"
import { rebuild, type ShapeFault } from "../wire/Shape.ts"
import { Verifier } from "../wire/Verifier.ts"
import * as KnownRepo from "./KnownRepo.ts"
import * as PendingRepo from "./PendingRepo.ts"
import type { Place } from "./Place.ts"
import { project } from "./Projection.ts"

/** How events came: because we asked for what we may have missed, or as they happen. */
export type Source =
  | { readonly _tag: "Asked" }
  /** `heardBefore` says whether an event was heard live before, and remembers it. */
  | { readonly _tag: "Live"; readonly heardBefore: (id: string) => boolean }

export const asked: Source = { _tag: "Asked" }

/** How many events a live source remembers; the oldest are forgotten first. */
const remembered = 10_000

/** A live source that has heard nothing yet. */
export const liveSource = (): Source => {
  const heard = new Set<string>()
  return {
    _tag: "Live",
    heardBefore: (id) => {
      if (heard.has(id)) return true
      const [oldest] = heard.size < remembered ? [] : heard
      if (oldest !== undefined) heard.delete(oldest)
      heard.add(id)
      return false
    }
  }
}

/** What became of events that a relay sent. */
export interface Ingested {
  /** Events that were new here, in order. */
  readonly fresh: ReadonlyArray<NostrEvent>
  /** Known already. */
  readonly duplicates: number
  /** No events, or not what they claim: nothing else is kept of them. */
  readonly rejected: number
}

/** How far beyond our time an event may lie, in seconds: relays take 900, and their clocks differ from ours. */
const tolerance = 1_200

/** How many events are brought in by one unit: others get to the store in between. */
const unitSize = 64

/**
 * Takes events as a relay sent them. They are rebuilt, then known ones are dropped, and only then are signatures
 * checked; what is left is brought in by time and id, unit by unit. Each unit is durable before the next one begins,
 * and nothing here moves a cursor.
 */
export const ingest = (
  received: ReadonlyArray<unknown>,
  place: Place,
  source: Source
): Effect.Effect<Ingested, never, Storage | Verifier> =>
  Effect.gen(function* () {
    const storage = yield* Storage
    const { verify } = yield* Verifier
    const latest = Math.floor((yield* now) / 1_000) + tolerance
    const rebuilt = received.map((raw) =>
      Either.filterOrLeft(
        rebuild(raw),
        ({ created_at: created }) => created <= latest,
        (): ShapeFault => "created_at"
      )
    )
    const candidates = new Map<string, ReadonlyArray<NostrEvent>>()
    for (const event of rebuilt) {
      if (Either.isLeft(event)) continue
      const { id } = event.right
      const before = candidates.get(id) ?? []
      // Anything may come under the id of an event before the event itself does.
      if (!before.some((other) => isSame(other, event.right))) candidates.set(id, [...before, event.right])
    }
    const known = yield* storage.read(KnownRepo.known(place.community, [...candidates.keys()]))
    const unknown = [...candidates].flatMap(([id, all]) => (known.has(id) ? [] : all))
    const verdicts = yield* verify(unknown)
    const genuine = unknown.filter((_, index) => verdicts[index] === true)
    const fresh = [...new Map(genuine.map((event) => [event.id, event])).values()].sort(byPlace)
    for (let start = 0; start < fresh.length; start += unitSize) {
      const unit = fresh.slice(start, start + unitSize)
      yield* storage.write(project(unit, place))
    }
    const here = new Set([...known.keys(), ...fresh.map(({ id }) => id)])
    const ids = rebuilt.flatMap((event) =>
      Either.isRight(event) && here.has(event.right.id) ? [event.right.id] : []
    )
    yield* noteRepeated(ids, known, place, source)
    const malformed = rebuilt.filter(Either.isLeft).length
    const forged = unknown.length - genuine.length
    return {
      fresh,
      duplicates: received.length - malformed - forged - fresh.length,
      rejected: malformed + forged
    }
  })

const isSame = (a: NostrEvent, b: NostrEvent): boolean =>
  a.sig === b.sig && a.content === b.content && JSON.stringify(a) === JSON.stringify(b)

/**
 * A message of ours that comes back proves that it arrived. What is heard live a second time is recorded; what we asked
 * for again ourselves is not.
 */
const noteRepeated = (
  ids: ReadonlyArray<string>,
  known: ReadonlyMap<string, KnownRepo.Acquaintance>,
  place: Place,
  source: Source
) =>
  Effect.gen(function* () {
    const storage = yield* Storage
    const echoes = ids.filter((id) => known.get(id) === "sent")
    const repeated =
      source._tag === "Asked" ? [] : ids.filter((id) => source.heardBefore(id) && known.get(id) !== "sent")
    if (echoes.length + repeated.length === 0) return
    yield* storage.write(
      Effect.gen(function* () {
        for (const id of echoes) {
          const settled = yield* settleEcho(place.community, id)
          if (settled || source._tag === "Live") yield* tellRepeated(id, "ignored", "echo", place)
        }
        for (const id of repeated) yield* tellRepeated(id, "replayed", "known_event", place)
      })
    )
  })

/** Only the id was checked, so only the id is recorded. */
const tellRepeated = (
  eventId: string,
  status: "ignored" | "replayed",
  reasonCode: string,
  { community, mapping: { adapterId, channelId } }: Place
) =>
  recordDelivery({
    adapterId,
    direction: "inbound",
    status,
    reasonCode,
    eventId,
    channelId,
    community
  })

/** A place in the history of a channel. */
interface Mark {
  readonly createdAt: number
  readonly id: string
}

const isBefore = (a: Mark, b: Mark): boolean =>
  a.createdAt < b.createdAt || (a.createdAt === b.createdAt && a.id < b.id)

/**
 * Moves the cursor of a channel to the last of these events, and the time up to which nothing is missing. It never
 * moves back, never into the future, and never past a reply that waits.
 */
export const advance = (
  mappingId: string,
  events: ReadonlyArray<NostrEvent>,
  confirmed?: number
): Effect.Effect<void, never, Storage> =>
  Effect.flatMap(Storage, (storage) =>
    storage.write(
      Effect.gen(function* () {
        const mapping = yield* findMapping(mappingId)
        if (mapping === undefined) return
        const { cursor } = mapping
        const seconds = Math.floor((yield* now) / 1_000)
        const pending = (yield* PendingRepo.first(mappingId))?.event
        const barrier = pending && { createdAt: pending.created_at, id: pending.id }
        const before: Mark = { createdAt: cursor.at ?? -1, id: cursor.eventId ?? "" }
        const reached = events
          .map((event): Mark => ({ createdAt: event.created_at, id: event.id }))
          .filter((mark) => mark.createdAt <= seconds && (barrier === undefined || isBefore(mark, barrier)))
          .reduce((last, mark) => (isBefore(last, mark) ? mark : last), before)
        // A clock that was ahead once has left this time in the future: it comes back with the clock.
        const confirmedAt = Math.min(Math.max(cursor.confirmedAt, confirmed ?? 0), seconds)
        if (reached === before && confirmedAt === cursor.confirmedAt) return
        yield* moveCursor(mappingId, {
          at: reached.createdAt < 0 ? null : reached.createdAt,
          eventId: reached.id === "" ? null : reached.id,
          confirmedAt
        })
      })
    )
  )
