import { Effect, Either } from "effect"
import { now } from "../../kernel/Time.ts"
import type { Sql } from "../../storage/Sql.ts"
import type { StorageService } from "../../storage/Storage.ts"
import type { RelayAdapter } from "../adapters/Adapter.ts"
import { enabledMapping } from "../mappings/Units.ts"
import { kinds, type NostrEvent } from "../wire/NostrEvent.ts"
import type { Reason } from "../wire/Reason.ts"
import type { Connection, RelayFailure, Submission } from "../wire/RelayClient.ts"
import { rebuild } from "../wire/Shape.ts"
import type { Means } from "./Means.ts"
import * as OutgoingRepo from "./OutgoingRepo.ts"
import { lastChance, type Standing, settle, settleSubmission, tooOldAt } from "./SettleDelivery.ts"

/** What became of an event that the relay was to be asked for. */
export type LookedUp =
  /** The relay has it, or it was given up. */
  | { readonly _tag: "Over" }
  /** The relay did not have it and was given it once more; what it said is stored. */
  | { readonly _tag: "HandedOver" }
  /** The relay did not have it and did not take it now; the time of the next attempt is stored. */
  | { readonly _tag: "PutOff"; readonly reason: Reason }
  /** The relay does not have it, and it is not handed over now: its channel is not mapped, or its time is nearly over. */
  | { readonly _tag: "Waits" }
  /** The relay could not be asked. */
  | { readonly _tag: "Unasked"; readonly failure: RelayFailure }

/** Settles a delivery, unless its echo or somebody else was faster. */
export const settleOpen = (
  { write }: StorageService,
  deliveryId: string,
  standing: Standing
): Effect.Effect<void> =>
  write(
    Effect.flatMap(
      OutgoingRepo.find(deliveryId),
      (open): Effect.Effect<void, never, Sql> =>
        open === undefined ? Effect.void : settle(deliveryId, standing)
    )
  )

/** Whether the relay has the event: only the event itself is proof. */
const isThere = ({ client, verifier }: Means, connection: Connection, event: NostrEvent) =>
  Effect.gen(function* () {
    const found = yield* client.query(connection, { ids: [event.id], kinds: [kinds.message], limit: 1 })
    const same = found.flatMap((raw) =>
      Either.match(rebuild(raw), {
        onLeft: () => [],
        onRight: (answer) => (answer.id === event.id ? [answer] : [])
      })
    )
    return (yield* verifier.verify(same)).some((genuine) => genuine)
  })

/** Whether the event has left this machine. */
const isHandedOver = (submission: Submission): boolean =>
  submission._tag !== "Postponed" && (submission._tag !== "Unknown" || submission.sent !== false)

/** Asks the relay for an event by its id; when it does not have it, the very same event is handed over again. */
export const lookUp = (
  means: Means,
  stored: OutgoingRepo.StoredOutgoing,
  event: NostrEvent,
  connection: Connection,
  adapter: RelayAdapter
): Effect.Effect<LookedUp> =>
  Effect.gen(function* () {
    const { client, storage } = means
    const { deliveryId } = stored
    const there = yield* Effect.either(isThere(means, connection, event))
    if (Either.isLeft(there)) return { _tag: "Unasked", failure: there.left }
    if (there.right) {
      yield* settleOpen(storage, deliveryId, { _tag: "Over", status: "success", reason: "ok" })
      return { _tag: "Over" }
    }
    // An answer without the event proves nothing, but handing it over again is harmless: a relay knows what it has.
    const at = yield* now
    const end = tooOldAt(event.created_at)
    if (at >= end && stored.nextAt <= at) {
      yield* settleOpen(storage, deliveryId, { _tag: "Over", status: "failed", reason: "event_too_old" })
      return { _tag: "Over" }
    }
    const mapping = yield* storage.read(enabledMapping(adapter.id))
    if (at > end - lastChance * 1_000 || mapping?.channelId !== stored.channelId) return { _tag: "Waits" }
    yield* storage.write(OutgoingRepo.begin(deliveryId, at))
    const submission = yield* client.submit(connection, event)
    yield* storage.write(settleSubmission(deliveryId, event.created_at, submission))
    if (isHandedOver(submission)) return { _tag: "HandedOver" }
    return { _tag: "PutOff", reason: submission._tag === "Accepted" ? "ok" : submission.reason }
  })
