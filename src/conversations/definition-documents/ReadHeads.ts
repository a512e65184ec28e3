import { Effect, Either } from "effect"
import { sha256 } from "../../kernel/Digest.ts"
import type { Filter, NostrEvent } from "../wire/NostrEvent.ts"
import type { Connection, RelayClientService, RelayFailure } from "../wire/RelayClient.ts"
import { rebuild } from "../wire/Shape.ts"
import type { VerifierService } from "../wire/Verifier.ts"
import { coordinateOf, type Found, type Head, withHeads } from "./Head.ts"
import { limits } from "./Limits.ts"

/** Which definitions are asked for. */
export type Question = Pick<Filter, "kinds" | "authors" | "#d">

/** What definitions are read and checked with. */
export interface Means {
  readonly client: RelayClientService
  readonly verifier: VerifierService
}

/** How far the reading has come. */
interface Progress extends Found {
  readonly over: boolean
  readonly requests: number
  /** How many pages in a row brought nothing new. */
  readonly idle: number
  /** What came so far, by digest: a relay may give an event on several pages. */
  readonly seen: ReadonlySet<string>
  readonly next: Pick<Filter, "until" | "before_id" | "limit"> & { readonly limit: number }
}

const start: Progress = {
  heads: new Map(),
  rejectedCount: 0,
  truncated: false,
  over: false,
  requests: 0,
  idle: 0,
  seen: new Set(),
  next: { limit: limits.page }
}

/**
 * Reads definitions page by page, newest first. A page begins where the one before it ended: at a second, and within it
 * after an id, for relays that know `before_id`. Others give that second again; when a page brings nothing new, the
 * rest of its last second is skipped.
 */
export const readHeads = (
  means: Means,
  connection: Connection,
  question: Question
): Effect.Effect<Found, RelayFailure> =>
  Effect.map(
    Effect.iterate(start, {
      while: ({ over, requests }) => !over && requests < limits.requests,
      body: (progress) => readPage(means, connection, question, progress)
    }),
    ({ heads, over, rejectedCount, truncated }) => ({ heads, rejectedCount, truncated: truncated || !over })
  )

const readPage = (
  { client, verifier }: Means,
  connection: Connection,
  question: Question,
  progress: Progress
) =>
  Effect.gen(function* () {
    const { limit } = progress.next
    const answer = yield* Effect.either(client.query(connection, { ...question, ...progress.next }))
    if (Either.isRight(answer)) {
      const page = new Map(answer.right.map((raw, place) => [markOf(raw, place), raw]))
      const fresh = [...page].filter(([digest]) => !progress.seen.has(digest)).map(([, raw]) => raw)
      return after(progress, page, fresh.length > 0, yield* checked(verifier, fresh, question))
    }
    if (answer.left.reason !== "response_too_large" || limit <= limits.smallestPage) return yield* answer.left
    // Large definitions: fewer of them make a page that can be read.
    const fewer = Math.max(limits.smallestPage, Math.floor(limit / 4))
    return { ...progress, requests: progress.requests + 1, next: { ...progress.next, limit: fewer } }
  })

/** What an event is recognized by. Junk may be nested too deep to be written as JSON: then its position must do. */
const markOf = (raw: unknown, place: number): string =>
  Either.match(rebuild(raw), {
    onLeft: () => `no event at ${place}`,
    onRight: (event) => sha256(JSON.stringify(event))
  })

/** How far the reading has come after a page, whose events are known by their digests. */
const after = (
  progress: Progress,
  page: ReadonlyMap<string, unknown>,
  isFresh: boolean,
  { definitions, rejected }: Effect.Effect.Success<ReturnType<typeof checked>>
): Progress => {
  const { limit } = progress.next
  const seen = new Set([...progress.seen, ...page.keys()])
  const last = lastOf([...page.values()])
  const idle = isFresh ? 0 : progress.idle + 1
  const isFull = seen.size >= limits.events
  // A page of nothing but known events may hide more of its second; a page of nothing but junk hides all that follows.
  const hides = last === undefined ? page.size > 0 : idle > 0 && page.size >= limit
  return {
    heads: withHeads(progress.heads, definitions),
    rejectedCount: progress.rejectedCount + rejected,
    truncated: progress.truncated || isFull || hides,
    // A relay that gives the same page whatever it is asked has no more.
    over: last === undefined || isFull || idle === 2,
    requests: progress.requests + 1,
    idle,
    seen,
    next: {
      limit,
      ...(last === undefined
        ? {}
        : idle > 0
          ? { until: Math.max(0, last.created_at - 1) }
          : { until: last.created_at, before_id: last.id })
    }
  }
}

const rebuilt = (raws: ReadonlyArray<unknown>): ReadonlyArray<NostrEvent> =>
  raws.flatMap((raw) => Either.match(rebuild(raw), { onLeft: () => [], onRight: (event) => [event] }))

/** Where a page ends: in its oldest second, after the greatest id. */
const lastOf = (page: ReadonlyArray<unknown>): NostrEvent | undefined =>
  rebuilt(page).reduce<NostrEvent | undefined>(
    (last, event) =>
      last === undefined ||
      event.created_at < last.created_at ||
      (event.created_at === last.created_at && event.id > last.id)
        ? event
        : last,
    undefined
  )

/** The definitions among events, their signatures checked. What was not asked for does not count as one. */
const checked = (
  { verify }: VerifierService,
  fresh: ReadonlyArray<unknown>,
  { authors, kinds, "#d": tags }: Question
) =>
  Effect.gen(function* () {
    const candidates = rebuilt(fresh).flatMap((event): ReadonlyArray<Head> => {
      const coordinate = coordinateOf(event)
      return coordinate !== undefined &&
        kinds.includes(coordinate.kind) &&
        (authors?.includes(coordinate.authorPubkey) ?? true) &&
        (tags?.includes(coordinate.dTag) ?? true)
        ? [{ coordinate, event }]
        : []
    })
    const verdicts = yield* verify(candidates.map(({ event }) => event))
    const definitions = candidates.filter((_, index) => verdicts[index])
    return { definitions, rejected: fresh.length - definitions.length }
  })
