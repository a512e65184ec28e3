import { Effect } from "effect"
import type { ActorContext } from "../../kernel/Actor.ts"
import { newId } from "../../kernel/Ids.ts"
import { redactText } from "../../kernel/Redaction.ts"
import { now } from "../../kernel/Time.ts"
import type { VaultService } from "../../kernel/Vault.ts"
import * as Journal from "../../storage/events/Journal.ts"
import type { Sql } from "../../storage/Sql.ts"
import type { RelayAdapter } from "../adapters/Adapter.ts"
import { findAdapter } from "../adapters/Units.ts"
import { currentEvidence } from "../compatibility/Units.ts"
import type { Delivery } from "../deliveries/Delivery.ts"
import type { EventCoordinate, SendRequest } from "../deliveries/Send.ts"
import type { Thread } from "../deliveries/Thread.ts"
import {
  changeDelivery,
  findDelivery,
  findSent,
  recordDelivery,
  threadOfMessage,
  tieThread
} from "../deliveries/Units.ts"
import { enabledMapping } from "../mappings/Units.ts"
import { communityOf } from "../relay-access/Endpoints.ts"
import type { Identity } from "../wire/Identity.ts"
import { kinds, type NostrEvent } from "../wire/NostrEvent.ts"
import type { Reason } from "../wire/Reason.ts"
import { compose } from "./ComposeEvent.ts"
import { DeliveryCreated } from "./Events.ts"
import * as OutgoingRepo from "./OutgoingRepo.ts"
import { sealEvent } from "./SealEvent.ts"

/** A send, with the identity that signs it: without one, `fault` says why. */
export interface Sending {
  readonly adapter: RelayAdapter
  readonly request: SendRequest
  readonly identity: Identity | undefined
  readonly fault: Reason | undefined
  readonly by: ActorContext
}

/** What a send has led to, when its unit is committed. */
export type Prepared =
  /** The signed event is stored and may go out. */
  | { readonly _tag: "Ready"; readonly deliveryId: string; readonly event: NostrEvent }
  /** Nothing goes out: it was sent before, or it can't be sent. */
  | { readonly _tag: "Settled"; readonly delivery: Delivery }

/** Why nothing can be sent now; undefined when it can. */
const hindrance = ({ fault, identity, adapter }: Sending) =>
  Effect.gen(function* () {
    const evidence = yield* currentEvidence(adapter)
    const { queued, unknown } = yield* OutgoingRepo.counts(adapter.id)
    if (!adapter.enabled) return { status: "skipped", reason: "adapter_disabled" } as const
    if (fault !== undefined || identity === undefined)
      return { status: "blocked", reason: fault ?? "credential_missing" } as const
    if (evidence === undefined) return { status: "blocked", reason: "not_probed" } as const
    if (evidence.status !== "healthy") return { status: "blocked", reason: evidence.reason } as const
    return queued + unknown >= OutgoingRepo.outboxLimit
      ? ({ status: "blocked", reason: "outbox_full" } as const)
      : undefined
  })

/**
 * Decides about a send and stores all of it in one unit: the record, the signed event and what the message is at the
 * relay. The event leaves only when this is committed, so that a crash never leaves one at the relay that nobody knows
 * of. A message that was sent is not sent again; one that was blocked or skipped may be tried anew.
 */
export const prepare = (vault: VaultService, sending: Sending): Effect.Effect<Prepared, never, Sql> =>
  Effect.gen(function* () {
    const { by, request } = sending
    const { squadMessageId } = request.target
    // The configuration as it is in this unit: somebody may have changed it since the request came in.
    const stored = yield* findAdapter(sending.adapter.id)
    const adapter = stored?.kind === "relay" ? stored : { ...sending.adapter, enabled: false }
    const before = yield* findSent(adapter.id, squadMessageId)
    if (before !== undefined && before.status !== "blocked" && before.status !== "skipped")
      return { _tag: "Settled", delivery: before }
    const community = communityOf(adapter.relayHttpUrl)
    const mapping = yield* enabledMapping(adapter.id)
    const parentId = request.replyToSquadMessageId
    const parent =
      mapping === undefined || parentId === undefined
        ? undefined
        : yield* threadOfMessage(community, mapping.channelId, parentId)
    const found = yield* hindrance({ ...sending, adapter })
    const refused =
      found ??
      (mapping === undefined
        ? ({ status: "skipped", reason: "no_mapping" } as const)
        : parentId !== undefined && parent === undefined
          ? ({ status: "blocked", reason: "parent_not_mapped" } as const)
          : undefined)
    const deliveryId = before?.id ?? (yield* newId("delivery"))
    const status = refused?.status ?? "queued"
    const reasonCode = refused?.reason ?? null
    if (before === undefined)
      yield* recordDelivery(
        {
          adapterId: adapter.id,
          direction: "outbound",
          status,
          squadMessageId,
          kind: kinds.message,
          community,
          actor: redactText(request.actor),
          ...(reasonCode === null ? {} : { reasonCode }),
          ...(mapping === undefined ? {} : { channelId: mapping.channelId })
        },
        Effect.succeed(deliveryId)
      )
    else yield* changeDelivery(deliveryId, { status, reasonCode }, true)
    yield* Journal.record(
      new DeliveryCreated({
        resourceId: deliveryId,
        adapterId: adapter.id,
        status,
        squadMessageId,
        ...(reasonCode === null ? {} : { reasonCode })
      }),
      by
    )
    const { identity } = sending
    if (refused !== undefined || mapping === undefined || identity === undefined) {
      const delivery = yield* findDelivery(deliveryId)
      return delivery === undefined
        ? yield* Effect.dieMessage("A delivery is there when it was written")
        : { _tag: "Settled", delivery }
    }
    const event = identity.sign(
      compose({
        channelId: mapping.channelId,
        deliveryId,
        text: redactText(request.message).toWellFormed(),
        parent,
        at: Math.floor((yield* now) / 1_000)
      })
    )
    yield* keep(vault, event, {
      adapter,
      community,
      deliveryId,
      parent,
      squadMessageId,
      channelId: mapping.channelId
    })
    return { _tag: "Ready", deliveryId, event }
  })

const keep = (
  vault: VaultService,
  event: NostrEvent,
  at: {
    readonly adapter: RelayAdapter
    readonly community: string
    readonly channelId: string
    readonly deliveryId: string
    readonly parent: Thread | undefined
    readonly squadMessageId: string
  }
) =>
  Effect.gen(function* () {
    const { adapter, channelId, community, deliveryId, parent, squadMessageId } = at
    const place = { adapterId: adapter.id, community, channelId, eventId: event.id }
    const sealed = yield* sealEvent(vault, event, deliveryId)
    yield* OutgoingRepo.insert({ ...place, deliveryId, event: sealed }, yield* now)
    yield* tieThread({
      ...place,
      rootEventId: parent?.rootEventId ?? event.id,
      direction: "outbound",
      squadMessageId,
      rootSquadMessageId: parent?.rootSquadMessageId ?? squadMessageId
    })
    yield* changeDelivery(deliveryId, {
      status: "queued",
      reasonCode: null,
      event: { id: event.id, pubkey: event.pubkey, createdAt: event.created_at, channelId, community }
    })
  })

/** Which event a delivery sent, as far as it is shown. */
export const coordinateOf = ({
  channelId,
  community,
  eventCreatedAt,
  eventId,
  pubkey
}: Delivery): EventCoordinate | null =>
  eventId === null || channelId === null || community === null || pubkey === null || eventCreatedAt === null
    ? null
    : { id: eventId, pubkey, kind: kinds.message, createdAt: eventCreatedAt, channelId, community }
