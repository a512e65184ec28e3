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
        health: Effect.fn("Communication.health")(function* (id) {
          return yield* withKind(kinds, yield* adapters.get(id), (kind, adapter) => kind.health(adapter))
        }),
        test: Effect.fn("Communication.test")(function* (id) {
          return yield* withKind(kinds, yield* adapters.get(id), (kind, adapter) => kind.test(adapter))
        }),
        send: Effect.fn("Communication.send")(function* (id, request, by) {
          return yield* withKind(kinds, yield* adapters.get(id), (kind, adapter) =>
            kind.send(adapter, request, by)
          )
        }),
        poll: Effect.fn("Communication.poll")(function* (id) {
          return yield* withKind(
            kinds,
            yield* adapters.get(id),
            ({ poll }, adapter): Effect.Effect<Reconciled, AdapterOfOtherKind> =>
              poll?.(adapter) ?? new AdapterOfOtherKind({ adapterId: id, kind: adapter.kind })
          )
        }),
        deliveries: (filter) => storage.read(newestDeliveries(filter)),
        threads: (filter) => storage.read(newestThreads(filter))
      })
    })
  )
}
