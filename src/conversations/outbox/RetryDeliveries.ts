import { Array as Arrays, Effect, Either, type Scope } from "effect"
import type { SecretsService } from "../../kernel/Secrets.ts"
import { now } from "../../kernel/Time.ts"
import type * as Worker from "../../kernel/Worker.ts"
import type { Storage } from "../../storage/Storage.ts"
import * as Wakes from "../../storage/Wakes.ts"
import type { RelayAdapter } from "../adapters/Adapter.ts"
import { findAdapter } from "../adapters/Units.ts"
import { connectionOf } from "../relay-access/Connection.ts"
import type { NostrEvent } from "../wire/NostrEvent.ts"
import { type Connection, RelayFailure } from "../wire/RelayClient.ts"
import { lookUp, settleOpen } from "./LookUpEvent.ts"
import type { Means } from "./Means.ts"
import * as OutgoingRepo from "./OutgoingRepo.ts"
import { expectedOf, reverify } from "./ReverifyEvent.ts"
import { nextLook, settleSubmission, tooOldAt } from "./SettleDelivery.ts"

/** How many events are looked at in a round. */
const batch = 50

/** The relay of an adapter, unless it is off or has no key. */
const reachable = (
  secrets: SecretsService,
  adapter: RelayAdapter
): Effect.Effect<Connection, RelayFailure> =>
  adapter.enabled ? connectionOf(secrets, adapter) : new RelayFailure({ reason: "adapter_disabled" })

/** Hands over what the relay had put off: it had said that it wrote nothing, so no question comes before. */
const handOver = (
  { client, storage }: Means,
  { deliveryId }: OutgoingRepo.StoredOutgoing,
  event: NostrEvent,
  connection: Either.Either<Connection, RelayFailure>
) =>
  Effect.gen(function* () {
    yield* storage.write(OutgoingRepo.begin(deliveryId, yield* now))
    const submission = Either.isLeft(connection)
      ? ({ _tag: "Postponed", reason: connection.left.reason } as const)
      : yield* client.submit(connection.right, event)
    yield* storage.write(settleSubmission(deliveryId, event.created_at, submission))
  })

/**
 * Asks for what may or may not have arrived. When the event is too old for the relay, and nobody could ask, it is given
 * up; should the relay show it later, it has arrived after all.
 */
const clear = (
  means: Means,
  stored: OutgoingRepo.StoredOutgoing,
  event: NostrEvent,
  adapter: RelayAdapter,
  connection: Either.Either<Connection, RelayFailure>
) =>
  Effect.gen(function* () {
    const { storage } = means
    const { attempts, deliveryId } = stored
    const found = Either.isLeft(connection)
      ? ({ _tag: "Unasked", failure: connection.left } as const)
      : yield* lookUp(means, stored, event, connection.right, adapter)
    const at = yield* now
    const nextAt = (asked?: number) => nextLook(attempts, asked, event.created_at, at)
    if (found._tag === "Waits") return yield* storage.write(OutgoingRepo.putOff(deliveryId, nextAt()))
    if (found._tag !== "Unasked") return
    const { reason, retryAfterMs } = found.failure
    yield* settleOpen(
      storage,
      deliveryId,
      at >= tooOldAt(event.created_at)
        ? { _tag: "Over", status: "failed", reason: "outcome_unknown" }
        : { _tag: "Unknown", reason, nextAt: nextAt(retryAfterMs) }
    )
  })

/** An adapter that is off, or has no key, keeps its events waiting until they are too old. */
const retry = (means: Means, stored: OutgoingRepo.StoredOutgoing): Effect.Effect<void> =>
  Effect.gen(function* () {
    const { secrets, storage } = means
    const { adapterId, deliveryId, inFlight, status } = stored
    const adapter = yield* storage.read(findAdapter(adapterId))
    const event =
      adapter?.kind === "relay"
        ? yield* reverify(means, stored, expectedOf(adapter))
        : Either.left("configuration_missing" as const)
    if (adapter?.kind !== "relay" || Either.isLeft(event)) {
      const reason = Either.isLeft(event) ? event.left : "configuration_missing"
      return yield* settleOpen(storage, deliveryId, { _tag: "Over", status: "failed", reason })
    }
    const connection = yield* Effect.either(reachable(secrets, adapter))
    if (status === "queued" && !inFlight) return yield* handOver(means, stored, event.right, connection)
    // Whoever handed it over is gone: the answer will never be heard.
    if (status === "queued") {
      const nextAt = nextLook(stored.attempts, undefined, event.right.created_at, yield* now)
      yield* settleOpen(storage, deliveryId, { _tag: "Unknown", reason: "socket_lost", nextAt })
    }
    yield* clear(means, stored, event.right, adapter, connection)
  })

/** Starts the worker that settles the deliveries that are still open (spec README, rulings 18 and 113). */
export const startRetries = (
  means: Means
): Effect.Effect<void, never, Storage | Worker.Workers | Scope.Scope> =>
  Wakes.startDue("relay-deliveries", [OutgoingRepo.queue], () =>
    Effect.gen(function* () {
      const at = yield* now
      const { storage } = means
      const due = yield* storage.read(OutgoingRepo.due(at, batch))
      // A slow relay holds up its own adapter alone.
      yield* Effect.forEach(
        Object.values(Arrays.groupBy(due, ({ adapterId }) => adapterId)),
        (ofOne) => Effect.forEach(ofOne, (stored) => retry(means, stored), { discard: true }),
        { concurrency: "unbounded", discard: true }
      )
      return yield* storage.read(OutgoingRepo.nextDue)
    })
  )
