import { Effect, Either } from "effect"
import type { RelayAdapter } from "../adapters/Adapter.ts"
import { communityOf } from "../relay-access/Endpoints.ts"
import { jsonOf } from "../wire/Answers.ts"
import { kinds, type NostrEvent, valuesOf } from "../wire/NostrEvent.ts"
import type { Reason } from "../wire/Reason.ts"
import { rebuild } from "../wire/Shape.ts"
import type { Means } from "./Means.ts"
import type { StoredOutgoing } from "./OutgoingRepo.ts"
import { opened } from "./SealEvent.ts"

/** Who the adapter is now, and where it leads: the community of its address, and the one that it expects there. */
export interface Expected {
  readonly publicKey: string | null
  readonly communities: ReadonlyArray<string>
}

/** What stored events of an adapter must agree with. */
export const expectedOf = ({ expectedCommunity, publicKey, relayHttpUrl }: RelayAdapter): Expected => ({
  publicKey,
  communities: [communityOf(relayHttpUrl), ...(expectedCommunity === null ? [] : [expectedCommunity])]
})

/**
 * Checks a stored event before it is used again: that it is what was signed, that our key signed it, that it belongs to
 * this community and its channel, and that it has the id and the delivery that the records say. Rows of a database can
 * be changed by others, and configurations by ourselves.
 */
export const reverify = (
  { vault, verifier }: Means,
  { channelId, community, deliveryId, event: sealed, eventId }: StoredOutgoing,
  expected: Expected
): Effect.Effect<Either.Either<NostrEvent, Reason>> =>
  Effect.gen(function* () {
    const stored = opened(vault, sealed, deliveryId)
    if (Either.isLeft(stored)) return Either.left(stored.left)
    const rebuilt = rebuild(jsonOf(stored.right))
    if (Either.isLeft(rebuilt)) return Either.left("stored_event_invalid")
    const event = rebuilt.right
    const [genuine] = yield* verifier.verify([event])
    const [delivery, ...others] = valuesOf(event.tags, "delivery")
    if (
      genuine !== true ||
      event.id !== eventId ||
      event.kind !== kinds.message ||
      delivery !== deliveryId ||
      others.length > 0
    )
      return Either.left("stored_event_invalid")
    if (event.pubkey !== expected.publicKey) return Either.left("stored_identity_changed")
    const channels = valuesOf(event.tags, "h")
    return expected.communities.every((known) => known === community) &&
      channels.length === 1 &&
      channels[0] === channelId
      ? Either.right(event)
      : Either.left("stored_place_changed")
  })
