import { Effect, Either, Exit } from "effect"
import { rootsOf } from "../../board/squad/Units.ts"
import type { ActorContext } from "../../kernel/Actor.ts"
import type { OutboundService } from "../../kernel/outbound/Outbound.ts"
import { redactText } from "../../kernel/Redaction.ts"
import * as Journal from "../../storage/events/Journal.ts"
import type { Sql } from "../../storage/Sql.ts"
import type { StorageService } from "../../storage/Storage.ts"
import type { TeamchatAdapter } from "../adapters/Adapter.ts"
import type { DeliveryStatus } from "../deliveries/Delivery.ts"
import type { SendRequest, Sent } from "../deliveries/Send.ts"
import { changeDelivery, findSent, recordDelivery, threadAround } from "../deliveries/Units.ts"
import { communityOf } from "../replies/Community.ts"
import { type Access, accessOf, holdingsOf, type Keepers } from "./Access.ts"
import { DeliveryBegun, DeliverySettled } from "./Events.ts"
import { type Payload, postTo } from "./PostMessage.ts"
import { Reason, sentences } from "./Reason.ts"

/** What a send needs around it. */
export interface Means extends Keepers {
  readonly storage: StorageService
  readonly outbound: OutboundService
}

/**
 * Sends a message once. The record is written before the call, so that a server which dies in between leaves it behind.
 * When the caller goes away, the record says that the outcome is unknown.
 */
export const send = (
  adapter: TeamchatAdapter,
  request: SendRequest,
  by: ActorContext,
  means: Means
): Effect.Effect<Sent> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      const { outbound, storage } = means
      const begun = yield* storage.write(begin(adapter, request, by, means))
      if (begun._tag === "Over") return begun.sent
      const { access, deliveryId, payload } = begun
      const exit = yield* Effect.exit(restore(postTo(adapter, access, deliveryId, payload, outbound)))
      const settled = settle(adapter, deliveryId, by)
      if (Exit.isFailure(exit)) {
        yield* storage.write(settled("delivery_unknown", "interrupted"))
        return yield* Effect.failCause(exit.cause)
      }
      const status = exit.value === undefined ? "success" : "failed"
      yield* storage.write(settled(status, exit.value))
      return sentOf(deliveryId, status, exit.value)
    })
  )

const sentOf = (deliveryId: string, status: DeliveryStatus, reason: Reason | undefined): Sent => ({
  deliveryId,
  status,
  event: null,
  ...(reason === undefined ? {} : { reasonCode: reason, message: sentences[reason] })
})

/** A send that is over without a call, or the call that is to be made. */
type Begun =
  | { readonly _tag: "Over"; readonly sent: Sent }
  | {
      readonly _tag: "Call"
      readonly deliveryId: string
      readonly access: Access
      readonly payload: Payload
    }

const isReason = (code: string | null): code is Reason => Reason.literals.some((known) => known === code)

/** Whether a message goes out: not while its adapter is off or can't be called. */
const planned = (
  { enabled }: TeamchatAdapter,
  access: Either.Either<Access, Reason>
): { readonly status: DeliveryStatus; readonly reason?: Reason } => {
  if (!enabled) return { status: "skipped", reason: "adapter_disabled" }
  if (Either.isRight(access)) return { status: "queued" }
  return { status: access.left === "webhook_missing" ? "skipped" : "blocked", reason: access.left }
}

/** Writes down what is about to happen. A message that has arrived, or is on its way, is not sent again. */
const begin = (
  adapter: TeamchatAdapter,
  request: SendRequest,
  by: ActorContext,
  keepers: Keepers
): Effect.Effect<Begun, never, Sql> =>
  Effect.gen(function* () {
    const { squadMessageId } = request.target
    const before = yield* findSent(adapter.id, squadMessageId)
    if (before?.status === "success" || before?.status === "queued") {
      const known = isReason(before.reasonCode) ? before.reasonCode : undefined
      return { _tag: "Over", sent: sentOf(before.id, before.status, known) }
    }
    const access = accessOf(yield* holdingsOf(adapter, keepers))
    const { reason, status } = planned(adapter, access)
    const actor = redactText(request.actor)
    const deliveryId =
      before?.id ??
      (yield* recordDelivery({
        adapterId: adapter.id,
        direction: "outbound",
        status,
        ...(reason === undefined ? {} : { reasonCode: reason }),
        squadMessageId,
        ...(adapter.channelId === null ? {} : { channelId: adapter.channelId }),
        community: communityOf(adapter.id),
        actor
      }))
    if (before !== undefined) yield* changeDelivery(before.id, { status, reasonCode: reason ?? null }, true)
    yield* Journal.record(new DeliveryBegun({ resourceId: deliveryId, adapterId: adapter.id, status }), by)
    if (status !== "queued" || Either.isLeft(access))
      return { _tag: "Over", sent: sentOf(deliveryId, status, reason) }
    const threadId = yield* threadOf(adapter, request)
    return {
      _tag: "Call",
      deliveryId,
      access: access.right,
      payload: {
        text: redactText(request.message),
        actor,
        squadMessageId,
        channelId: adapter.channelId,
        ...(threadId === undefined ? {} : { threadId })
      }
    }
  })

/** The thread at the team chat that belongs to the message that is replied to, when a reply from there has named it. */
const threadOf = (
  { id }: TeamchatAdapter,
  { replyToSquadMessageId: parentId }: SendRequest
): Effect.Effect<string | undefined, never, Sql> =>
  Effect.gen(function* () {
    if (parentId === undefined) return undefined
    const [root] = yield* rootsOf([parentId])
    const rootId = root?.rootId ?? parentId
    return (yield* threadAround(communityOf(id), { rootId, messageId: parentId }))?.rootEventId
  })

/** Notes what came of a delivery. */
export const settle =
  ({ id: adapterId }: TeamchatAdapter, deliveryId: string, by: ActorContext) =>
  (status: DeliveryStatus, reason: Reason | undefined): Effect.Effect<void, never, Sql> =>
    Effect.zipRight(
      changeDelivery(deliveryId, { status, reasonCode: reason ?? null }),
      Journal.record(new DeliverySettled({ resourceId: deliveryId, adapterId, status }), by)
    )
