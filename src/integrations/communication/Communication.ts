import { Context, Effect, Layer } from "effect"
import type { ActorContext } from "../../kernel/Actor.ts"
import type { Page } from "../../kernel/Paging.ts"
import { Storage } from "../../storage/Storage.ts"
import { Relay } from "../relay/Relay.ts"
import { Teamchat } from "../teamchat/Teamchat.ts"
import { Adapters } from "./Adapters.ts"
import type { Delivery, DeliveryFilter, ThreadFilter, ThreadMapping } from "./Delivery.ts"
import * as DeliveryRepo from "./DeliveryRepo.ts"
import type { AdapterNotFound, AdapterOfOtherKind } from "./Errors.ts"
import type { Health } from "./Health.ts"
import type { Reconciled } from "./Reconciled.ts"
import type { SendRequest, Sent } from "./Send.ts"
import * as ThreadRepo from "./ThreadRepo.ts"

/** What is done with an adapter, whatever its kind, and what came of it. */
export class Communication extends Context.Tag("muster/Communication")<
  Communication,
  {
    readonly health: (id: string) => Effect.Effect<Health, AdapterNotFound>
    readonly test: (id: string) => Effect.Effect<Health, AdapterNotFound>
    readonly send: (
      id: string,
      request: SendRequest,
      by: ActorContext
    ) => Effect.Effect<Sent, AdapterNotFound>
    /** Settles what may or may not have arrived. A webhook can't be asked, so this is for relays. */
    readonly poll: (id: string) => Effect.Effect<Reconciled, AdapterNotFound | AdapterOfOtherKind>
    readonly deliveries: (filter: DeliveryFilter) => Effect.Effect<Page<Delivery>>
    readonly threads: (filter: ThreadFilter) => Effect.Effect<Page<ThreadMapping>>
  }
>() {
  static readonly layer = Layer.effect(
    Communication,
    Effect.gen(function* () {
      const storage = yield* Storage
      const adapters = yield* Adapters
      const relay = yield* Relay
      const teamchat = yield* Teamchat
      return Communication.of({
        health: (id) =>
          Effect.flatMap(adapters.get(id), (adapter) =>
            adapter.kind === "relay" ? relay.health(adapter) : teamchat.health(adapter)
          ),
        test: (id) =>
          Effect.flatMap(adapters.get(id), (adapter) =>
            adapter.kind === "relay" ? relay.test(adapter) : teamchat.test(adapter)
          ),
        send: (id, request, by) =>
          Effect.flatMap(adapters.get(id), (adapter) =>
            adapter.kind === "relay" ? relay.send(adapter, request, by) : teamchat.send(adapter, request, by)
          ),
        poll: (id) => Effect.flatMap(adapters.relay(id), relay.poll),
        deliveries: (filter) => storage.read(DeliveryRepo.newest(filter)),
        threads: (filter) => storage.read(ThreadRepo.newest(filter))
      })
    })
  )
}
