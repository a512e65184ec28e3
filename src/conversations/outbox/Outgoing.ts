import { Context, Effect, Either, Layer } from "effect"
import type { ActorContext } from "../../kernel/Actor.ts"
import { Secrets } from "../../kernel/Secrets.ts"
import { Vault } from "../../kernel/Vault.ts"
import { Storage } from "../../storage/Storage.ts"
import type { RelayAdapter } from "../adapters/Adapter.ts"
import type { Delivery } from "../deliveries/Delivery.ts"
import type { Reconciled } from "../deliveries/Reconciled.ts"
import type { SendRequest, Sent } from "../deliveries/Send.ts"
import { findDelivery } from "../deliveries/Units.ts"
import { connectionOf } from "../relay-access/Connection.ts"
import type { NostrEvent } from "../wire/NostrEvent.ts"
import { type Reason, sentences } from "../wire/Reason.ts"
import { type Connection, RelayClient } from "../wire/RelayClient.ts"
import { Verifier } from "../wire/Verifier.ts"
import type { Means } from "./Means.ts"
import { coordinateOf, prepare } from "./PrepareDelivery.ts"
import { reconcile } from "./ReconcileDeliveries.ts"
import { startRetries } from "./RetryDeliveries.ts"
import { readyToSeal, sealAll } from "./SealEvent.ts"
import { settleInterrupted, settleSubmission } from "./SettleDelivery.ts"

/** What goes out to relays. */
export interface OutgoingService {
  /** Signs a message, stores it and hands it over; the answer says where its delivery stands. */
  readonly send: (adapter: RelayAdapter, request: SendRequest, by: ActorContext) => Effect.Effect<Sent>
  /** Asks the relay for what may or may not have arrived, and hands over again what it does not have. */
  readonly reconcile: (adapter: RelayAdapter) => Effect.Effect<Reconciled>
}

export class Outgoing extends Context.Tag("muster/Outgoing")<Outgoing, OutgoingService>() {
  static readonly layer = Layer.scoped(
    Outgoing,
    Effect.gen(function* () {
      const storage = yield* Storage
      const client = yield* RelayClient
      const secrets = yield* Secrets
      const vault = yield* Vault
      const means: Means = { storage, client, secrets, vault, verifier: yield* Verifier }
      // Before anything else can go out: what was under way when the process ended is settled.
      const interrupted = yield* storage.write(settleInterrupted)
      if (interrupted > 0)
        yield* Effect.logWarning(
          `${interrupted} messages to a relay were under way when the process ended: the relay is asked for them`
        )
      yield* sealAll(storage, vault)
      yield* startRetries(means)

      const handOver = (connection: Connection, deliveryId: string, event: NostrEvent) =>
        Effect.gen(function* () {
          const submission = yield* client.submit(connection, event)
          yield* storage.write(settleSubmission(deliveryId, event.created_at, submission))
          return yield* storage.read(findDelivery(deliveryId))
        })

      return Outgoing.of({
        // A client that hangs up does not leave a message half sent.
        send: Effect.fn("Outgoing.send")(function* (adapter, request, by) {
          const connection = yield* Effect.either(connectionOf(secrets, adapter))
          if (Either.isRight(connection)) yield* readyToSeal(vault)
          const prepared = yield* storage.write(
            prepare(vault, {
              adapter,
              request,
              by,
              identity: Either.isRight(connection) ? connection.right.identity : undefined,
              fault: Either.isLeft(connection) ? connection.left.reason : undefined
            })
          )
          if (prepared._tag === "Settled" || Either.isLeft(connection)) return sentOf(settledOf(prepared))
          const delivery = yield* handOver(connection.right, prepared.deliveryId, prepared.event)
          return sentOf(delivery)
        }, Effect.uninterruptible),
        reconcile: Effect.fn("Outgoing.reconcile")((adapter) => reconcile(means, adapter))
      })
    })
  )
}

const settledOf = (prepared: Effect.Effect.Success<ReturnType<typeof prepare>>): Delivery | undefined =>
  prepared._tag === "Settled" ? prepared.delivery : undefined

const isReason = (code: string): code is Reason => code in sentences

const sentOf = (delivery: Delivery | undefined): Sent => {
  // The records of what goes out are kept for good.
  if (delivery === undefined) throw new Error("A delivery is there when its message is sent")
  const { id: deliveryId, detail, reasonCode, status } = delivery
  const message = detail ?? (reasonCode !== null && isReason(reasonCode) ? sentences[reasonCode] : undefined)
  return {
    deliveryId,
    status,
    event: coordinateOf(delivery),
    ...(reasonCode === null ? {} : { reasonCode }),
    ...(message === undefined || reasonCode === null ? {} : { message })
  }
}
