import { Effect, Either } from "effect"
import type { Filter } from "../wire/NostrEvent.ts"
import { RelayFailure } from "../wire/RelayClient.ts"
import { isHex64 } from "../wire/Shape.ts"

/** How many events are asked for at once; fewer when they are large. */
export const pageSize = 200

/** How much of a channel is held in memory before it is brought in, and how many queries that may take. */
export const windowLimits = { events: 2_000, characters: 16 * 1_048_576, pages: 60 } as const

/** How much is asked for when one second fills a page, at a relay that has no other way into that second. */
const widePage = 1_000

/** The most that relays give at once is a round number. */
const roundPage = 100

/** A stretch of a channel's history, in seconds since the epoch, both ends included. */
export interface Window {
  readonly since: number
  readonly until: number
}

/** What a window holds. */
export type Page =
  | { readonly _tag: "Whole"; readonly received: ReadonlyArray<unknown> }
  /** There is more than a window may hold: read a shorter one. */
  | { readonly _tag: "TooMuch" }
  /** One second holds more than the relay gives at once, and it has no way to ask for the rest. */
  | { readonly _tag: "Gap"; readonly received: ReadonlyArray<unknown> }

type Query = (
  filter: Pick<Filter, "since" | "until" | "limit" | "before_id">
) => Effect.Effect<ReadonlyArray<unknown>, RelayFailure>

interface Seen {
  readonly id: string
  readonly at: number
  readonly length: number
}

/** The places of what was received, genuine or not: junk must not hide the events below it. */
const placesOf = (page: ReadonlyArray<unknown>, { since, until }: Window): ReadonlyArray<Seen> =>
  page.flatMap((raw) => {
    if (typeof raw !== "object" || raw === null) return []
    const { content, created_at: at, id }: { content?: unknown; created_at?: unknown; id?: unknown } = raw
    // A relay that gives what was not asked for does not lead the search astray.
    return isHex64(id) && typeof at === "number" && Number.isInteger(at) && at >= since && at <= until
      ? [{ id, at, length: typeof content === "string" ? content.length : 0 }]
      : []
  })

/** The oldest place of a page: the earliest time, and within a second the greatest id, as relays order them. */
const lastOf = (places: ReadonlyArray<Seen>): Seen | undefined =>
  places.reduce<Seen | undefined>(
    (last, place) =>
      last === undefined || place.at < last.at || (place.at === last.at && place.id > last.id) ? place : last,
    undefined
  )

/**
 * Reads a window of a channel from its end to its beginning until nothing new comes, as a relay gives the newest events
 * first and a limited number of them (relay-wire 0.2, 0.8). It goes on below the last place that it has seen; a relay
 * that does not know `before_id` gives the same second again, so known events are ignored and the search steps below
 * that second. That a relay says it has no more is never believed.
 */
export const readWindow = (query: Query, window: Window): Effect.Effect<Page, RelayFailure> =>
  Effect.gen(function* () {
    const seen = new Set<string>()
    const received: Array<unknown> = []
    let characters = 0
    let limit: number = pageSize
    /** The bounds of what an answer of this relay can hold: `fitting` was read, `tooLarge` was not. */
    let fitting = 0
    let tooLarge = 2 * widePage
    let gap = false
    let below: { readonly until: number; readonly id: string | undefined } = {
      until: window.until,
      id: undefined
    }
    for (let pages = 0; below.until >= window.since; pages++) {
      if (isTooMuch(pages, received.length, characters))
        return window.since === window.until ? { _tag: "Gap", received } : { _tag: "TooMuch" }
      const page = yield* Effect.either(
        query({
          since: window.since,
          until: below.until,
          limit,
          ...(below.id === undefined ? {} : { before_id: below.id })
        })
      )
      if (Either.isLeft(page)) {
        if (page.left.reason !== "response_too_large" || limit === 1) return yield* page.left
        tooLarge = Math.min(tooLarge, limit)
        // Back to what fitted; when even that is too large, these messages are larger and nothing is known.
        limit = limit > fitting && fitting > 0 ? fitting : Math.max(1, Math.floor(limit / 4))
        fitting = Math.min(fitting, limit)
        continue
      }
      fitting = limit
      if (page.right.length === 0) break
      const places = placesOf(page.right, { since: window.since, until: below.until })
      // Nothing that was asked for, but something else: such an answer proves nothing.
      if (places.length === 0 && received.length === 0)
        return yield* new RelayFailure({ reason: "query_response_invalid" })
      const last = lastOf(places.filter(({ id }) => !seen.has(id)))
      if (last === undefined) {
        if (mayBeCut(places, limit)) {
          const wider = Math.min(widePage, Math.floor((limit + tooLarge) / 2))
          if (wider > limit) {
            limit = wider
            continue
          }
          gap = true
        }
        below = { until: below.until - 1, id: undefined }
        continue
      }
      for (const raw of page.right) received.push(raw)
      for (const { id, length } of places) {
        if (!seen.has(id)) characters += length
        seen.add(id)
      }
      below = { until: last.at, id: last.id }
    }
    return gap ? { _tag: "Gap", received } : { _tag: "Whole", received }
  })

/** Whether the relay may have kept back more of a second: the page holds that second alone, and all of it is known. */
const mayBeCut = (places: ReadonlyArray<Seen>, limit: number): boolean =>
  places.length > 0 &&
  places.every(({ at }) => at === places[0]?.at) &&
  (places.length >= limit || places.length % roundPage === 0)

const isTooMuch = (pages: number, events: number, characters: number): boolean =>
  pages >= windowLimits.pages || events > windowLimits.events || characters > windowLimits.characters

/** The halves of a window that held too much. */
export const halves = ({ since, until }: Window): readonly [Window, Window] => {
  const middle = since + Math.floor((until - since) / 2)
  return [
    { since, until: middle },
    { since: middle + 1, until }
  ]
}
