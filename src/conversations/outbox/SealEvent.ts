import { Effect, Either, Redacted } from "effect"
import type { VaultService } from "../../kernel/Vault.ts"
import type { StorageService } from "../../storage/Storage.ts"
import type { NostrEvent } from "../wire/NostrEvent.ts"
import type { Reason } from "../wire/Reason.ts"
import * as OutgoingRepo from "./OutgoingRepo.ts"

/*
 * A signed event is of use to whoever has it: it can be handed to another relay. So it is stored sealed, and can't be
 * read from the database or a backup of it (spec README, ruling 113).
 */

const placeOf = (deliveryId: string) => ["relay-outgoing", deliveryId, "event"]

/** Seals the text of an event for its delivery. */
export const sealText = ({ seal }: VaultService, text: string, deliveryId: string): Effect.Effect<string> =>
  seal(Redacted.make(text), placeOf(deliveryId))

/** Seals an event, in the very text that is sent. */
export const sealEvent = (
  vault: VaultService,
  event: NostrEvent,
  deliveryId: string
): Effect.Effect<string> => sealText(vault, JSON.stringify(event), deliveryId)

/** Makes the key that units of work seal with: they can't wait for a file to be written. */
export const readyToSeal = (vault: VaultService): Effect.Effect<void> =>
  Effect.asVoid(sealText(vault, "", ""))

/** The text of a stored event, or why it can't be had: it was changed, or its key is on another machine. */
export const opened = (
  { open }: VaultService,
  sealed: string,
  deliveryId: string
): Either.Either<string, Reason> =>
  Either.mapBoth(open(sealed, placeOf(deliveryId)), {
    onLeft: ({ reason }): Reason =>
      reason === "other-key" ? "stored_event_unreadable" : "stored_event_invalid",
    onRight: Redacted.value
  })

/** Seals the events that an earlier version stored as they are. */
export const sealAll = (storage: StorageService, vault: VaultService): Effect.Effect<void> =>
  Effect.gen(function* () {
    const plain = yield* storage.read(OutgoingRepo.unsealed)
    const sealed = yield* Effect.forEach(plain, ({ deliveryId, event }) =>
      Effect.map(sealText(vault, event, deliveryId), (text) => OutgoingRepo.reseal(deliveryId, text))
    )
    if (sealed.length > 0) yield* storage.write(Effect.all(sealed, { discard: true }))
  })
