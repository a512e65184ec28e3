import { Effect, Either } from "effect"
import type { RelayAdapter } from "../adapters/Adapter.ts"
import type { Reconciled } from "../deliveries/Reconciled.ts"
import { findDelivery } from "../deliveries/Units.ts"
import { connectionOf } from "../relay-access/Connection.ts"
import type { Reason } from "../wire/Reason.ts"
import { lookUp, settleOpen } from "./LookUpEvent.ts"
import type { Means } from "./Means.ts"
import * as OutgoingRepo from "./OutgoingRepo.ts"
import { expectedOf, reverify } from "./ReverifyEvent.ts"

/** How many deliveries a poll looks at. */
const batch = 100

/**
 * Settles the deliveries of an adapter that may or may not have arrived (spec 2-relay, Delivery status). Each stored
 * event is looked at before it is used; then the relay is asked for it by its id; only what it does not have is handed
 * over again, the very same event.
 */
export const reconcile = (means: Means, adapter: RelayAdapter): Effect.Effect<Reconciled> =>
  Effect.gen(function* () {
    const { secrets, storage } = means
    const stored = yield* storage.read(OutgoingRepo.unknown(adapter.id, batch))
    const expected = expectedOf(adapter)
    const connection = yield* Effect.either(connectionOf(secrets, adapter))
    let reason: Reason | null = null
    let resubmitted = 0
    for (const one of stored) {
      const genuine = yield* reverify(means, one, expected)
      if (Either.isLeft(genuine)) {
        yield* settleOpen(storage, one.deliveryId, { _tag: "Over", status: "failed", reason: genuine.left })
        continue
      }
      if (!adapter.enabled) reason = "adapter_disabled"
      else if (Either.isLeft(connection)) reason = connection.left.reason
      if (reason !== null || Either.isLeft(connection)) continue
      const found = yield* lookUp(means, one, genuine.right, connection.right, adapter)
      if (found._tag === "Unasked") reason = found.failure.reason
      if (found._tag === "PutOff") reason = found.reason
      if (found._tag === "HandedOver") resubmitted += 1
    }
    const deliveries = yield* storage.read(
      Effect.forEach(stored, ({ deliveryId }) => findDelivery(deliveryId))
    )
    const settled = deliveries.filter((delivery) => delivery !== undefined)
    return {
      checked: stored.length,
      success: settled.filter(({ status }) => status === "success").length,
      resubmitted,
      failed: settled.filter(({ status }) => status === "failed").length,
      reasonCode: reason,
      deliveries: settled
    }
  })
