import { Effect, Either, Queue, type Scope } from "effect"
import type { Secrets } from "../../../kernel/Secrets.ts"
import { now } from "../../../kernel/Time.ts"
import * as Worker from "../../../kernel/Worker.ts"
import { Storage } from "../../../storage/Storage.ts"
import * as AdapterRepo from "../../communication/AdapterRepo.ts"
import { connectionOf } from "../Connecting.ts"
import { RelayClient } from "../client/RelayClient.ts"
import type { Verifier } from "../nostr/Verifier.ts"
import * as OutgoingRepo from "./OutgoingRepo.ts"
import { expectedOf, reverify } from "./Reverifying.ts"
import { settle, settleSubmission } from "./Settling.ts"

/** How long the worker sleeps at the most before it looks at the clock again. */
const longestNap = 30_000

/** How many events are handed over in a round. */
const batch = 50

type Means = Storage | RelayClient | Secrets | Verifier

/**
 * Hands over what the relay had put off: it had said that it wrote nothing, so no question comes before (spec README,
 * ruling 18). An adapter that is off, or has no key, keeps its events waiting until they are too old.
 */
const retry = (stored: OutgoingRepo.StoredOutgoing): Effect.Effect<void, never, Means> =>
  Effect.gen(function* () {
    const storage = yield* Storage
    const client = yield* RelayClient
    const { deliveryId } = stored
    const adapter = yield* storage.read(AdapterRepo.find(stored.adapterId))
    if (adapter?.kind !== "relay") return yield* storage.write(OutgoingRepo.park(deliveryId))
    const event = yield* reverify(stored, expectedOf(adapter))
    if (Either.isLeft(event))
      return yield* storage.write(settle(deliveryId, { _tag: "Over", status: "failed", reason: event.left }))
    const connection = yield* Effect.either(connectionOf(adapter))
    const fault = !adapter.enabled
      ? "adapter_disabled"
      : Either.isLeft(connection)
        ? connection.left.reason
        : undefined
    yield* storage.write(OutgoingRepo.begin(deliveryId))
    const submission =
      fault !== undefined || Either.isLeft(connection)
        ? ({ _tag: "Postponed", reason: fault ?? "credential_missing" } as const)
        : yield* client.submit(connection.right, event.right)
    yield* storage.write(
      settleSubmission({ deliveryId, attempts: stored.attempts + 1 }, event.right.created_at, submission)
    )
  })

/** Starts the worker that hands over again what the relay had put off. */
export const startRetries: Effect.Effect<void, never, Means | Worker.Workers | Scope.Scope> = Effect.gen(
  function* () {
    const storage = yield* Storage
    const wakes = yield* Queue.sliding<void>(1)
    yield* storage.onCommit(() => wakes.unsafeOffer(undefined))
    const round = Effect.gen(function* () {
      const at = yield* now
      const [next, due] = yield* storage.read(Effect.all([OutgoingRepo.nextDue, OutgoingRepo.due(at, batch)]))
      yield* Effect.forEach(due, retry, { discard: true })
      const nap = Math.min(longestNap, next === undefined ? longestNap : Math.max(1, next - at))
      yield* Effect.race(Queue.take(wakes), Effect.sleep(due.length > 0 ? 1 : nap))
    })
    yield* Worker.start("relay-deliveries", round)
  }
)
