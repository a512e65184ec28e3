import { Effect } from "effect"
import { system } from "../../../kernel/Actor.ts"
import { now } from "../../../kernel/Time.ts"
import * as Journal from "../../../storage/Journal.ts"
import type { Sql } from "../../../storage/Sql.ts"
import type { DeliveryStatus } from "../../communication/Delivery.ts"
import * as DeliveryRepo from "../../communication/DeliveryRepo.ts"
import * as ThreadRepo from "../../communication/ThreadRepo.ts"
import { type Reason, sentences } from "../client/Reason.ts"
import type { Submission } from "../client/RelayClient.ts"
import * as OutgoingRepo from "./OutgoingRepo.ts"

/** How far the clock of an event may be from the relay's, in seconds: older ones it takes from nobody. */
export const ageLimit = 900

const shortestPause = 2_000
const longestPause = 120_000

/** How long to wait after so many attempts: longer each time, or as long as the relay asks for. */
export const pauseAfter = (attempts: number, asked: number | undefined): number =>
  Math.max(asked ?? 0, Math.min(shortestPause * 2 ** Math.min(attempts - 1, 10), longestPause))

/** Where a delivery stands after an attempt. */
export type Standing =
  | {
      readonly _tag: "Over"
      readonly status: "success" | "failed"
      readonly reason: Reason
      readonly detail?: string
    }
  | { readonly _tag: "Unknown"; readonly reason: Reason }
  | { readonly _tag: "Queued"; readonly reason: Reason; readonly nextAt: number }

/** What an answer of the relay means for a delivery (spec README, ruling 18). Times are milliseconds, ages seconds. */
export const standingAfter = (
  submission: Submission,
  attempts: number,
  signedAt: number,
  atMs: number
): Standing => {
  switch (submission._tag) {
    case "Accepted":
      return { _tag: "Over", status: "success", reason: "ok" }
    case "Refused":
      return {
        _tag: "Over",
        status: "failed",
        reason: submission.reason,
        ...(submission.detail === undefined ? {} : { detail: submission.detail })
      }
    case "Unknown":
      return { _tag: "Unknown", reason: submission.reason }
    case "Postponed": {
      const nextAt = atMs + pauseAfter(attempts, submission.retryAfterMs)
      return nextAt >= (signedAt + ageLimit) * 1_000
        ? {
            _tag: "Over",
            status: "failed",
            reason: "event_too_old",
            detail: `${sentences[submission.reason]}, until the event was too old`
          }
        : { _tag: "Queued", reason: submission.reason, nextAt }
    }
  }
}

/** Notes where a delivery stands: in its record, in the outbox of events, and in the audit chain. */
export const settle = (deliveryId: string, standing: Standing): Effect.Effect<void, never, Sql> =>
  Effect.gen(function* () {
    const change = (status: DeliveryStatus, detail?: string) =>
      DeliveryRepo.update(deliveryId, {
        status,
        reasonCode: standing.reason === "ok" ? null : standing.reason,
        detail: detail ?? (standing.reason === "ok" ? null : sentences[standing.reason])
      })
    switch (standing._tag) {
      case "Over":
        yield* change(standing.status, standing.detail)
        if (standing.status === "failed" && !doubtful.has(standing.reason)) yield* untie(deliveryId)
        yield* OutgoingRepo.remove(deliveryId)
        break
      case "Unknown":
        yield* change("delivery_unknown")
        yield* OutgoingRepo.park(deliveryId)
        break
      case "Queued":
        yield* change("queued")
        yield* OutgoingRepo.putOff(deliveryId, standing.nextAt)
        break
    }
    yield* Journal.record({
      kind: "communication-delivery.updated",
      resource: "communication-delivery",
      resourceId: deliveryId,
      by: system,
      payload: { status: standing._tag === "Over" ? standing.status : standing._tag, reason: standing.reason }
    })
  })

/** Faults of what is stored here: whether the relay has the event is another question. */
const doubtful: ReadonlySet<Reason> = new Set([
  "stored_event_invalid",
  "stored_identity_changed",
  "stored_place_changed"
])

/** The relay does not have the event, so a reply to its message can't name it. */
const untie = (deliveryId: string) =>
  Effect.flatMap(OutgoingRepo.find(deliveryId), (stored) =>
    stored === undefined ? Effect.void : ThreadRepo.remove(stored.community, stored.eventId)
  )

/** The relay sent one of our events back, so it has it. True when that settled a delivery. */
export const settleEcho = (community: string, eventId: string): Effect.Effect<boolean, never, Sql> =>
  Effect.gen(function* () {
    const open = yield* OutgoingRepo.openEvent(community, eventId)
    if (open === undefined) return false
    yield* settle(open.deliveryId, { _tag: "Over", status: "success", reason: "ok" })
    return true
  })

/** Deliveries whose answer nobody heard, as the process ended, may or may not have arrived. */
export const settleInterrupted: Effect.Effect<number, never, Sql> = Effect.gen(function* () {
  const interrupted = yield* OutgoingRepo.interrupted
  for (const { deliveryId } of interrupted)
    yield* settle(deliveryId, { _tag: "Unknown", reason: "socket_lost" })
  return interrupted.length
})

/** Notes what came of handing an event over, unless its echo was faster than the answer. */
export const settleSubmission = (
  { attempts, deliveryId }: Pick<OutgoingRepo.StoredOutgoing, "attempts" | "deliveryId">,
  signedAt: number,
  submission: Submission
): Effect.Effect<void, never, Sql> =>
  Effect.gen(function* () {
    if ((yield* OutgoingRepo.find(deliveryId)) === undefined) return
    yield* settle(deliveryId, standingAfter(submission, attempts, signedAt, yield* now))
  })
