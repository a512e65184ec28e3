import { Effect, Either } from "effect"
import type { Secrets } from "../../../kernel/Secrets.ts"
import { now } from "../../../kernel/Time.ts"
import { Storage } from "../../../storage/Storage.ts"
import type { RelayAdapter } from "../../communication/Adapter.ts"
import * as DeliveryRepo from "../../communication/DeliveryRepo.ts"
import type { Reconciled } from "../../communication/Reconciled.ts"
import { connectionOf } from "../Connecting.ts"
import * as MappingRepo from "../channels/MappingRepo.ts"
import type { Reason } from "../client/Reason.ts"
import { type Connection, RelayClient } from "../client/RelayClient.ts"
import { kinds, type NostrEvent } from "../nostr/Event.ts"
import { rebuild } from "../nostr/Shape.ts"
import { Verifier } from "../nostr/Verifier.ts"
import * as OutgoingRepo from "./OutgoingRepo.ts"
import { expectedOf, reverify } from "./Reverifying.ts"
import { ageLimit, settle, settleSubmission } from "./Settling.ts"

/** How many deliveries a poll looks at. */
const batch = 100

/** What became of one delivery. */
type Outcome = "found" | "resubmitted" | "failed" | "open"

type Means = Storage | RelayClient | Verifier

const over = (deliveryId: string, status: "success" | "failed", reason: Reason) =>
  Effect.flatMap(Storage, ({ write }) => write(settle(deliveryId, { _tag: "Over", status, reason })))

/** Whether the relay has the event: what it sends must be the event. */
const isThere = (connection: Connection, event: NostrEvent) =>
  Effect.gen(function* () {
    const { query } = yield* RelayClient
    const { verify } = yield* Verifier
    const found = yield* query(connection, { ids: [event.id], kinds: [kinds.message], limit: 1 })
    const same = found.flatMap((raw) =>
      Either.match(rebuild(raw), {
        onLeft: () => [],
        onRight: (answer) => (answer.id === event.id ? [answer] : [])
      })
    )
    return (yield* verify(same)).some((genuine) => genuine)
  })

const settleOne = (
  stored: OutgoingRepo.StoredOutgoing,
  event: NostrEvent,
  connection: Connection,
  adapter: RelayAdapter
): Effect.Effect<Outcome, Reason, Means> =>
  Effect.gen(function* () {
    const storage = yield* Storage
    const client = yield* RelayClient
    const { deliveryId } = stored
    if (yield* Effect.mapError(isThere(connection, event), ({ reason }) => reason)) {
      yield* over(deliveryId, "success", "ok")
      return "found"
    }
    // An answer without the event proves nothing, but handing over again is harmless: a relay knows what it has.
    if ((yield* now) > (event.created_at + ageLimit) * 1_000) {
      yield* over(deliveryId, "failed", "event_too_old")
      return "failed"
    }
    const mapping = yield* storage.read(MappingRepo.enabledOf(adapter.id))
    if (mapping?.channelId !== stored.channelId) return "open"
    yield* storage.write(OutgoingRepo.begin(deliveryId))
    const submission = yield* client.submit(connection, event)
    yield* storage.write(
      settleSubmission({ deliveryId, attempts: stored.attempts + 1 }, event.created_at, submission)
    )
    return submission._tag === "Refused" ? "failed" : "resubmitted"
  })

/**
 * Settles the deliveries of an adapter that may or may not have arrived (spec 2-relay, Delivery status). Each stored
 * event is looked at before it is used; then the relay is asked for it by its id; only what it does not have is handed
 * over again, the very same event.
 */
export const reconcile = (adapter: RelayAdapter): Effect.Effect<Reconciled, never, Means | Secrets> =>
  Effect.gen(function* () {
    const storage = yield* Storage
    const stored = yield* storage.read(OutgoingRepo.unknown(adapter.id, batch))
    const expected = expectedOf(adapter)
    const connection = yield* Effect.either(connectionOf(adapter))
    let reason: Reason | null = null
    const outcomes: Array<Outcome> = []
    for (const one of stored) {
      const genuine = yield* reverify(one, expected)
      if (Either.isLeft(genuine)) {
        yield* over(one.deliveryId, "failed", genuine.left)
        outcomes.push("failed")
        continue
      }
      if (!adapter.enabled) reason = "adapter_disabled"
      else if (Either.isLeft(connection)) reason = connection.left.reason
      if (reason !== null || Either.isLeft(connection)) continue
      const outcome = yield* Effect.either(settleOne(one, genuine.right, connection.right, adapter))
      if (Either.isLeft(outcome)) reason = outcome.left
      else outcomes.push(outcome.right)
    }
    const count = (outcome: Outcome) => outcomes.filter((one) => one === outcome).length
    const deliveries = yield* storage.read(
      Effect.forEach(stored, ({ deliveryId }) => DeliveryRepo.find(deliveryId))
    )
    const settled = deliveries.filter((delivery) => delivery !== undefined)
    return {
      checked: stored.length,
      success: settled.filter(({ status }) => status === "success").length,
      resubmitted: count("resubmitted"),
      failed: settled.filter(({ status }) => status === "failed").length,
      reasonCode: reason,
      deliveries: settled
    }
  })
