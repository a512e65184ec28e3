import { Context, Effect, Layer } from "effect"
import type { ActorContext } from "../../kernel/Actor.ts"
import { digest } from "../../kernel/Digest.ts"
import { now } from "../../kernel/Time.ts"
import type { Sql } from "../../storage/Sql.ts"
import { Storage } from "../../storage/Storage.ts"
import { ordered } from "../capacity/Schedule.ts"
import { Dispatch, type Dispatcher } from "./Dispatch.ts"
import { abandon } from "./EndEntry.ts"
import { defaultPage, type QueueFilter, type QueueInspection, type QueueList } from "./Entry.ts"
import * as EntryRepo from "./EntryRepo.ts"
import { QueueEntryNotFound, type QueueEntryOver } from "./Errors.ts"
import { inspection, isOfRoot, type Standing, shown, standings } from "./Inspection.ts"
import { planQueue, situation } from "./PlanQueue.ts"

/** What is shown, and a name of its content: the same as long as nothing changed but the time that passed. */
export interface Seen<A> {
  readonly value: A
  readonly content: string
}

/** Who waits for capacity. */
export interface QueueService {
  /** Those who wait in the order in which they are served, then those who are over, newest first. */
  readonly list: (filter: QueueFilter) => Effect.Effect<Seen<QueueList>>
  readonly inspect: (id: string) => Effect.Effect<Seen<QueueInspection>, QueueEntryNotFound>
  /** Ends an entry before it starts, its attempt with it. Of a cancel and a start at once, one happens. */
  readonly cancel: (
    id: string,
    by: ActorContext
  ) => Effect.Effect<QueueInspection, QueueEntryNotFound | QueueEntryOver>
}

export class Queue extends Context.Tag("muster/Queue")<Queue, QueueService>() {
  static readonly layer = Layer.effect(
    Queue,
    Effect.gen(function* () {
      const storage = yield* Storage
      const dispatchers = yield* Dispatch
      return Queue.of({
        list: Effect.fn("Queue.list")((filter) => storage.read(list(filter))),
        inspect: Effect.fn("Queue.inspect")((id) => Effect.map(storage.read(inspect(id)), seenInspection)),
        cancel: Effect.fn("Queue.cancel")((id, by) => storage.write(cancel(dispatchers, id, by)))
      })
    })
  )
}

/** Where everybody stands who waits. */
const whereAllStand = Effect.gen(function* () {
  const now = yield* situation
  const plan = yield* planQueue(now)
  const waiting = [
    ...plan.starting,
    ...plan.denied.map(([entry]) => entry),
    ...plan.waiting.map(([entry]) => entry)
  ]
  return { at: now.order.at, places: standings(ordered(waiting, now.order), plan) }
})

const list = (filter: QueueFilter): Effect.Effect<Seen<QueueList>, never, Sql> =>
  Effect.gen(function* () {
    const { at, places } = yield* whereAllStand
    const found = yield* EntryRepo.matching(filter, at)
    const { limit = defaultPage, limitingScope, page = 1, rootObjectiveId } = filter
    const matching = found
      .filter((entry) => rootObjectiveId === undefined || isOfRoot(entry, rootObjectiveId))
      .filter(({ seq }) => limitingScope === undefined || isLimitedBy(limitingScope, places.get(seq)))
      .toSorted((one, other) => placeOf(one, places) - placeOf(other, places))
    const entries = matching
      .slice((page - 1) * limit, page * limit)
      .map((entry) => shown(entry, at, places.get(entry.seq)))
    const value = {
      schemaVersion: "admission-queue-list/v1",
      entries,
      page,
      limit,
      total: matching.length
    } as const
    return { value, content: digest({ ...value, entries: entries.map(({ ageMs: _, ...entry }) => entry) }) }
  })

const isLimitedBy = (
  scopes: NonNullable<QueueFilter["limitingScope"]>,
  standing: Standing | undefined
): boolean => standing?.limiting.some(({ scope }) => scopes.includes(scope)) ?? false

/** Those about to start first, then those who wait in their order, those behind the window, and those who are over. */
const placeOf = (
  { endedAt, seq, state }: EntryRepo.StoredEntry,
  places: ReadonlyMap<number, Standing>
): number => {
  if (endedAt !== null) return Number.MAX_SAFE_INTEGER
  return state === "leased" ? 0 : (places.get(seq)?.position ?? Number.MAX_SAFE_INTEGER - 1)
}

const inspect = (id: string): Effect.Effect<QueueInspection, QueueEntryNotFound, Sql> =>
  Effect.gen(function* () {
    const entry = yield* found(id)
    const { at, places } = yield* whereAllStand
    return inspection(entry, at, yield* EntryRepo.waiting, places.get(entry.seq))
  })

const found = (id: string): Effect.Effect<EntryRepo.StoredEntry, QueueEntryNotFound, Sql> =>
  Effect.flatMap(EntryRepo.find(id), (entry) =>
    entry === undefined ? new QueueEntryNotFound({ queueId: id }) : Effect.succeed(entry)
  )

const seenInspection = (value: QueueInspection): Seen<QueueInspection> => {
  const { ageMs: _, ...entry } = value.entry
  return { value, content: digest({ ...value, entry }) }
}

const cancel = (
  dispatchers: ReadonlyArray<Dispatcher>,
  id: string,
  by: ActorContext
): Effect.Effect<QueueInspection, QueueEntryNotFound | QueueEntryOver, Sql> =>
  Effect.gen(function* () {
    yield* abandon(dispatchers, yield* found(id), "cancelled", by)
    return inspection(yield* found(id), yield* now, yield* EntryRepo.waiting, undefined)
  })
