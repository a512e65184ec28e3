import { Effect } from "effect"
import { system } from "../../kernel/Actor.ts"
import { now } from "../../kernel/Time.ts"
import * as Journal from "../../storage/events/Journal.ts"
import type { Sql } from "../../storage/Sql.ts"
import type { DeliveryStatus } from "../deliveries/Delivery.ts"
import { changeDelivery, findSent, threadOfEvent, untieThread } from "../deliveries/Units.ts"
import { type Reason, sentences } from "../wire/Reason.ts"
import type { Submission } from "../wire/RelayClient.ts"
import { DeliveryUpdated } from "./Events.ts"
import * as OutgoingRepo from "./OutgoingRepo.ts"

/** How old an event may be by the relay's clock, in seconds: it takes no older ones. */
export const ageLimit = 900

/**
 * How long before that age an event is handed over for the last time, in seconds, when nobody knows whether it arrived.
 * The replica that answers queries may lag, so the relay is asked once more when it takes the event no longer.
 */
export const lastChance = 60

const shortestPause = 2_000
const longestPause = 120_000

/** How long to wait after so many attempts: longer each time, or as long as the relay asks for. */
export const pauseAfter = (attempts: number, asked: number | undefined): number =>
  Math.max(asked ?? 0, Math.min(shortestPause * 2 ** Math.min(attempts - 1, 10), longestPause))

const shortestDoubt = 60_000
const longestDoubt = 240_000

/** When an event is too old for the relay, in milliseconds. */
export const tooOldAt = (signedAt: number): number => (signedAt + ageLimit) * 1_000

/**
 * When the relay is asked for an event that may or may not have arrived: not at once, as most come back by themselves,
 * and for the last time when the event is too old.
 */
export const nextLook = (
  attempts: number,
  asked: number | undefined,
  signedAt: number,
  atMs: number
): number => {
  const pause = Math.min(shortestDoubt * 2 ** Math.min(attempts - 1, 10), longestDoubt)
  const next = atMs + Math.max(asked ?? 0, pause)
  return Math.max(atMs + shortestDoubt, Math.min(next, tooOldAt(signedAt)))
}

/** Where a delivery stands after an attempt. */
export type Standing =
  | {
      readonly _tag: "Over"
      readonly status: "success" | "failed"
      readonly reason: Reason
      readonly detail?: string
    }
  | { readonly _tag: "Unknown"; readonly reason: Reason; readonly nextAt: number }
  | { readonly _tag: "Queued"; readonly reason: Reason; readonly nextAt: number }

/** An attempt to hand an event over: how many there were, when the event was signed, and what was known before. */
export interface Attempt {
  readonly attempts: number
  /** Seconds since the epoch. */
  readonly signedAt: number
  /** An earlier attempt may have arrived. */
  readonly doubtful: boolean
}

/**
 * What an answer of the relay means for a delivery (spec README, rulings 18 and 113). An event that may have arrived
 * before stays unknown when the relay asks for patience: that says only that this attempt wrote nothing.
 */
export const standingAfter = (
  submission: Submission,
  { attempts, doubtful, signedAt }: Attempt,
  atMs: number
): Standing => {
  const unknown = (reason: Reason, asked?: number): Standing => ({
    _tag: "Unknown",
    reason,
    nextAt: nextLook(attempts, asked, signedAt, atMs)
  })
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
      return unknown(submission.reason)
    case "Postponed": {
      if (doubtful) return unknown(submission.reason, submission.retryAfterMs)
      const nextAt = atMs + pauseAfter(attempts, submission.retryAfterMs)
      return nextAt >= tooOldAt(signedAt)
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

/** Stores where a delivery stands, and records it in the journal. */
export const settle = (deliveryId: string, standing: Standing): Effect.Effect<void, never, Sql> =>
  Effect.gen(function* () {
    const change = (status: DeliveryStatus, detail?: string) =>
      changeDelivery(deliveryId, {
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
        yield* OutgoingRepo.putOff(deliveryId, standing.nextAt)
        break
      case "Queued":
        yield* change("queued")
        yield* OutgoingRepo.putOff(deliveryId, standing.nextAt)
        break
    }
    yield* Journal.record(
      new DeliveryUpdated({
        resourceId: deliveryId,
        status: standing._tag === "Over" ? standing.status : standing._tag,
        reason: standing.reason
      }),
      system
    )
  })

/** Reasons that leave open whether the relay has the event. */
const doubtful: ReadonlySet<Reason> = new Set([
  "stored_event_invalid",
  "stored_event_unreadable",
  "stored_identity_changed",
  "stored_place_changed",
  "configuration_missing",
  "outcome_unknown"
])

/** The relay does not have the event, so a reply to its message can't name it. */
const untie = (deliveryId: string) =>
  Effect.flatMap(OutgoingRepo.find(deliveryId), (stored) =>
    stored === undefined ? Effect.void : untieThread(stored.community, stored.eventId)
  )

const arrived: Standing = { _tag: "Over", status: "success", reason: "ok" }

/** The relay sent one of our events back, so it has it. True when that settled a delivery. */
export const settleEcho = (community: string, eventId: string): Effect.Effect<boolean, never, Sql> =>
  Effect.gen(function* () {
    const deliveryId =
      (yield* OutgoingRepo.openEvent(community, eventId))?.deliveryId ??
      (yield* givenUp(community, eventId))?.id
    if (deliveryId === undefined) return false
    yield* settle(deliveryId, arrived)
    return true
  })

/** The delivery of an event that was given up while nobody knew whether the relay has it. */
const givenUp = (community: string, eventId: string) =>
  Effect.gen(function* () {
    const thread = yield* threadOfEvent(community, eventId)
    if (thread === undefined) return undefined
    const delivery = yield* findSent(thread.adapterId, thread.squadMessageId)
    return delivery?.status === "failed" && delivery.eventId === eventId ? delivery : undefined
  })

/**
 * Deliveries whose answer was lost when the process ended may or may not have arrived. The relay is asked once the
 * bridge has had time to hear of them. The same goes for those that earlier versions left to a poll.
 */
export const settleInterrupted: Effect.Effect<number, never, Sql> = Effect.gen(function* () {
  const nextAt = (yield* now) + shortestDoubt
  const interrupted = yield* OutgoingRepo.interrupted
  for (const { deliveryId } of interrupted)
    yield* settle(deliveryId, { _tag: "Unknown", reason: "socket_lost", nextAt })
  yield* OutgoingRepo.appoint(nextAt)
  return interrupted.length
})

/** Notes what came of handing an event over, unless its echo was faster than the answer. */
export const settleSubmission = (
  deliveryId: string,
  signedAt: number,
  submission: Submission
): Effect.Effect<void, never, Sql> =>
  Effect.gen(function* () {
    const open = yield* OutgoingRepo.find(deliveryId)
    if (open === undefined) return
    const { attempts, status } = open
    const attempt = { attempts, signedAt, doubtful: status === "delivery_unknown" }
    yield* settle(deliveryId, standingAfter(submission, attempt, yield* now))
  })
