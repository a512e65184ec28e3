import { Effect, Either } from "effect"
import type { ActorContext } from "../../kernel/Actor.ts"
import { system } from "../../kernel/Actor.ts"
import { newId } from "../../kernel/Ids.ts"
import { iso, now } from "../../kernel/Time.ts"
import * as Journal from "../../storage/events/Journal.ts"
import * as Lease from "../../storage/Lease.ts"
import { moves, type Sql } from "../../storage/Sql.ts"
import type { AdmissionRequest } from "../capacity/AdmissionRequest.ts"
import type { EvaluatedPolicy } from "../capacity/Capacity.ts"
import { AdmissionExpired, AdmissionReleased, AdmissionReserved } from "./Events.ts"
import { decide, type ReleaseReason, type ReservationState } from "./Reservation.ts"
import * as ReservationRepo from "./ReservationRepo.ts"

/*
 * What the rooms that start and end runs do with reservations, inside their own units. Whoever starts something asks
 * `admit` of the queue, which decides; here is what keeps a reservation and ends it.
 */

/** Moves when capacity was given back: whoever gives it out looks who waits. */
export const freed = "admission-freed"

/** All that is taken. */
export const taken = ReservationRepo.taken

/** The reservation that an attempt holds. */
export const heldBy = ReservationRepo.heldBy

/** The place of an attempt in the tree of what it is done for; undefined for one that never had capacity. */
export const treeOf = ReservationRepo.treeOf

/** A reservation that was made, with the lease that whoever writes for it stands behind. */
export interface Reserved {
  readonly reservationId: string
  readonly lease: Lease.Lease
}

/** Gives capacity to a request that fits: whoever calls this has looked, in the same unit. */
export const reserve = (
  request: AdmissionRequest,
  policies: ReadonlyArray<EvaluatedPolicy>,
  leaseMs: number,
  by: ActorContext
): Effect.Effect<Reserved, never, Sql> =>
  Effect.gen(function* () {
    const at = yield* now
    const id = yield* newId("res")
    const { attemptId, capacity, provider, source, taskId } = request
    // The name is new, so nobody has it.
    const lease = yield* Effect.orDie(Lease.acquire(ReservationRepo.leaseName(id), attemptId, leaseMs))
    yield* ReservationRepo.insert({
      id,
      request,
      policies,
      leaseEpoch: lease.epoch,
      leasedUntil: at + leaseMs,
      at
    })
    yield* Journal.record(
      new AdmissionReserved({ resourceId: id, taskId, attemptId, source, provider, capacity }),
      by
    )
    return { reservationId: id, lease }
  })

/** Who gives capacity back, and why. */
export interface Giving {
  readonly reason: ReleaseReason
  readonly by: ActorContext
}

/** Gives back what an attempt holds, and wakes the queue. An attempt that holds nothing gives nothing back. */
export const release = (attemptId: string, giving: Giving): Effect.Effect<void, never, Sql> =>
  endOf(ReservationRepo.heldBy(attemptId), "release", giving)

/** The same by the id of the reservation. */
export const releaseReservation = (reservationId: string, giving: Giving): Effect.Effect<void, never, Sql> =>
  endOf(ReservationRepo.withId(reservationId), "release", giving)

/** Takes back what nobody held on to, and wakes the queue. */
export const expire = (reservation: ReservationRepo.StoredReservation): Effect.Effect<void, never, Sql> =>
  endOf(Effect.succeed(reservation), "expire", { reason: "lease-lapsed", by: system })

const endOf = (
  found: Effect.Effect<ReservationRepo.StoredReservation | undefined, never, Sql>,
  command: "release" | "expire",
  { by, reason }: Giving
): Effect.Effect<void, never, Sql> =>
  Effect.gen(function* () {
    const reservation = yield* found
    if (reservation === undefined) return
    const ended = Either.getOrUndefined(decide(reservation.state, command))
    if (ended === undefined) return
    yield* endNow(reservation, ended, { by, reason })
  })

const endNow = (
  { attemptId, id }: ReservationRepo.StoredReservation,
  state: ReservationState,
  { by, reason }: Giving
): Effect.Effect<void, never, Sql> =>
  Effect.gen(function* () {
    yield* ReservationRepo.end(id, state, { reason, by: by.name, at: iso(yield* now) })
    yield* Lease.revoke(ReservationRepo.leaseName(id))
    yield* Journal.record(
      state === "expired"
        ? new AdmissionExpired({ resourceId: id, attemptId })
        : new AdmissionReleased({ resourceId: id, attemptId, reason }),
      by
    )
    yield* moves(freed)
  })

/**
 * Holds on to what an attempt has, for so many milliseconds from now, and tells whether it has anything. What lapsed
 * and was not taken back yet is held on to again; what was taken back stays lost: the attempt goes on without it.
 */
export const renew = (attemptId: string, leaseMs: number): Effect.Effect<boolean, never, Sql> =>
  Effect.gen(function* () {
    const held = yield* ReservationRepo.heldBy(attemptId)
    if (held === undefined) return false
    const { id, leaseEpoch } = held
    // It is active, so its lease is there.
    yield* Effect.orDie(Lease.renew({ name: ReservationRepo.leaseName(id), epoch: leaseEpoch }, leaseMs))
    yield* ReservationRepo.holdUntil(id, (yield* now) + leaseMs)
    return true
  })
