import { Context, Effect, Layer } from "effect"
import type { ActorContext } from "../../kernel/Actor.ts"
import type { Page } from "../../kernel/Paging.ts"
import { Storage } from "../../storage/Storage.ts"
import { Adapters } from "../adapters/Adapters.ts"
import { type AdapterNotFound, AdapterOfOtherKind } from "../adapters/Errors.ts"
import type { Health } from "../adapters/Health.ts"
import { AdapterKinds, withKind } from "../adapters/Kinds.ts"
import type { Delivery, DeliveryFilter } from "../deliveries/Delivery.ts"
import type { Reconciled } from "../deliveries/Reconciled.ts"
import type { SendRequest, Sent } from "../deliveries/Send.ts"
import type { ThreadFilter, ThreadMapping } from "../deliveries/Thread.ts"
import { newestDeliveries, newestThreads } from "../deliveries/Units.ts"

/** What is done with an adapter, whatever its kind, and what came of it. */
export interface CommunicationService {
  readonly health: (id: string) => Effect.Effect<Health, AdapterNotFound>
  readonly test: (id: string) => Effect.Effect<Health, AdapterNotFound>
  readonly send: (id: string, request: SendRequest, by: ActorContext) => Effect.Effect<Sent, AdapterNotFound>
  /** Settles what may or may not have arrived. A webhook can't be asked, so this is for relays. */
  readonly poll: (id: string) => Effect.Effect<Reconciled, AdapterNotFound | AdapterOfOtherKind>
  readonly deliveries: (filter: DeliveryFilter) => Effect.Effect<Page<Delivery>>
  readonly threads: (filter: ThreadFilter) => Effect.Effect<Page<ThreadMapping>>
}

export class Communication extends Context.Tag("muster/Communication")<
  Communication,
  CommunicationService
>() {
  static readonly layer = Layer.effect(
    Communication,
    Effect.gen(function* () {
      const storage = yield* Storage
      const adapters = yield* Adapters
      const kinds = yield* AdapterKinds
      return Communication.of({
        health: (id) =>
          Effect.flatMap(adapters.get(id), (adapter) =>
            withKind(kinds, adapter, (kind, own) => kind.health(own))
          ),
        test: (id) =>
          Effect.flatMap(adapters.get(id), (adapter) =>
            withKind(kinds, adapter, (kind, own) => kind.test(own))
          ),
        send: (id, request, by) =>
          Effect.flatMap(adapters.get(id), (adapter) =>
            withKind(kinds, adapter, (kind, own) => kind.send(own, request, by))
          ),
        poll: (id) =>
          Effect.flatMap(adapters.get(id), (adapter) =>
            withKind(
              kinds,
              adapter,
              ({ poll }, own): Effect.Effect<Reconciled, AdapterOfOtherKind> =>
                poll === undefined ? new AdapterOfOtherKind({ adapterId: id, kind: adapter.kind }) : poll(own)
            )
          ),
        deliveries: (filter) => storage.read(newestDeliveries(filter)),
        threads: (filter) => storage.read(newestThreads(filter))
      })
    })
  )
}
