import { Cause, Duration, Effect, Either, Layer } from "effect"
import { Standing } from "../../identity/Standing.ts"
import { system } from "../../kernel/Actor.ts"
import { now } from "../../kernel/Time.ts"
import * as Worker from "../../kernel/Worker.ts"
import * as Journal from "../../storage/events/Journal.ts"
import * as Lease from "../../storage/Lease.ts"
import type { Sql } from "../../storage/Sql.ts"
import { Storage } from "../../storage/Storage.ts"
import * as Wakes from "../../storage/Wakes.ts"
import type { ReleaseReason } from "../admission/Reservation.ts"
import * as Admission from "../admission/Units.ts"
import { type ClaimedEntry, claimWaiting } from "./ClaimWaiting.ts"
import { type Claimed, Dispatch, type Dispatcher } from "./Dispatch.ts"
import { abandon, endEntry } from "./EndEntry.ts"
import { decide } from "./Entry.ts"
import * as EntryRepo from "./EntryRepo.ts"
import { AdmissionDispatched } from "./Events.ts"
import { entered } from "./Units.ts"

/** How often a dispatch is tried that fails with a defect instead of an answer. */
const attemptLimit = 5

/** Lets an entry wait again that has not started, and gives back what it was given. */
const putBack = (
  entry: EntryRepo.StoredEntry,
  reason: ReleaseReason,
  again: { readonly failures?: number; readonly dueAt?: number } = {}
): Effect.Effect<void, never, Sql> =>
  Effect.gen(function* () {
    const state = Either.getOrUndefined(decide(entry.state, "return"))
    if (state === undefined) return
    yield* EntryRepo.move(entry, state, again)
    if (entry.reservationId !== null) {
      yield* Admission.releaseReservation(entry.reservationId, { reason, by: system })
    }
  })

/** What a process that is gone had claimed waits again: one process owns the file, so nobody else works on it. */
const takeBack: Effect.Effect<void, never, Sql> = Effect.gen(function* () {
  for (const entry of yield* EntryRepo.leased) yield* putBack(entry, "dispatcher-restarted")
})

/**
 * Begins what was claimed. Whoever cancelled it meanwhile took its lease away, and then nothing begins: the entry is
 * marked in the unit that begins the launch, so of the two exactly one happens, and happens once.
 */
const begin = (
  dispatcher: Dispatcher,
  { lease }: ClaimedEntry,
  claimed: Claimed
): Effect.Effect<void, Lease.LeaseLost, Sql> =>
  Effect.gen(function* () {
    yield* Lease.guard(lease)
    const entry = yield* stillThere(claimed.queueId)
    const state = Either.getOrUndefined(decide(entry.state, "dispatch"))
    if (state === undefined) return
    const { _tag } = yield* dispatcher.dispatch(claimed)
    // What was found leased in this unit can end.
    if (_tag === "Cannot") return yield* Effect.orDie(endEntry(entry, "dispatch-refused", system))
    yield* EntryRepo.move(entry, state, { endedAt: yield* now })
    const { attemptId, source, taskId } = claimed.request
    yield* Journal.record(
      new AdmissionDispatched({ resourceId: entry.id, taskId, attemptId, source }),
      claimed.by
    )
  })

const stillThere = (id: string) =>
  Effect.filterOrDieMessage(
    EntryRepo.find(id),
    (entry) => entry !== undefined,
    `${id} left the queue while it held a lease`
  )

/** Lets an entry wait again that lost its lease before it started, unless it was cancelled by that. */
const letGo = (queueId: string): Effect.Effect<void, never, Sql> =>
  Effect.flatMap(EntryRepo.find(queueId), (entry) =>
    entry === undefined ? Effect.void : putBack(entry, "lease-lapsed")
  )

/** Lets an entry try again whose dispatch broke; after some times it never starts. */
const postpone = (dispatchers: ReadonlyArray<Dispatcher>, queueId: string): Effect.Effect<void, never, Sql> =>
  Effect.gen(function* () {
    const entry = yield* EntryRepo.find(queueId)
    if (entry === undefined || entry.state !== "leased") return
    const failures = entry.failures + 1
    if (failures >= attemptLimit) return yield* Effect.orDie(abandon(dispatchers, entry, "dispatch-broke"))
    const dueAt = (yield* now) + Duration.toMillis(Worker.pauseAfter(failures))
    yield* putBack(entry, "dispatch-broke", { failures, dueAt })
  })

/**
 * Dispatches those who wait as capacity becomes free: when somebody gave some back, when somebody began to wait, and when
 * the settings changed.
 */
export const DispatchQueue = Layer.scopedDiscard(
  Effect.gen(function* () {
    const storage = yield* Storage
    const standing = yield* Standing
    const dispatchers = yield* Dispatch
    const sources = dispatchers.flatMap((one) => one.sources)

    const dispatch = (claimed: ClaimedEntry) =>
      Effect.gen(function* () {
        const { entry, launch, reservationId } = claimed
        const dispatcher = dispatchers.find((one) => one.sources.includes(entry.source))
        if (dispatcher === undefined) return yield* Effect.dieMessage(`Nobody dispatches ${entry.source}`)
        const by = yield* standing.now(launch.founder)
        yield* storage.write(
          begin(dispatcher, claimed, { queueId: entry.id, reservationId, request: launch.request, by })
        )
      }).pipe(
        Effect.catchTag("LeaseLost", () => storage.write(letGo(claimed.entry.id))),
        Effect.catchAllCause((cause) =>
          Cause.isInterrupted(cause)
            ? Effect.failCause(cause)
            : Effect.zipRight(
                Effect.logError(`The launch ${claimed.entry.id} could not be dispatched`, cause),
                storage.write(postpone(dispatchers, claimed.entry.id))
              )
        )
      )

    /** Claims and dispatches until nobody fits any more. Those of one claim are written together. */
    const dispatchAll: Effect.Effect<void> = Effect.gen(function* () {
      const claimed = yield* storage.write(claimWaiting(dispatchers))
      if (claimed.length === 0) return
      yield* Effect.forEach(claimed, dispatch, { concurrency: "unbounded", discard: true })
      yield* dispatchAll
    })

    yield* storage.write(takeBack)
    if (sources.length === 0) return
    yield* Wakes.startDue("admission-queue", [Admission.freed, entered, "settings"], () =>
      Effect.zipRight(
        dispatchAll,
        Effect.flatMap(now, (at) => storage.read(EntryRepo.nextDue(at)))
      )
    )
  })
)
