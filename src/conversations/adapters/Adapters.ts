import { Context, Effect, Layer } from "effect"
import type { ActorContext } from "../../kernel/Actor.ts"
import { type FieldsDenied, requireAdministrator } from "../../kernel/FieldRights.ts"
import { now, nowIso } from "../../kernel/Time.ts"
import * as Journal from "../../storage/events/Journal.ts"
import type { Sql } from "../../storage/Sql.ts"
import { Storage } from "../../storage/Storage.ts"
import { type Adapter, type AdapterBody, adapterLimit, type RelayAdapter } from "./Adapter.ts"
import * as AdapterRepo from "./AdapterRepo.ts"
import {
  AdapterInUse,
  AdapterLimitReached,
  type AdapterNotFound,
  AdapterOfOtherKind,
  AdapterRefused
} from "./Errors.ts"
import { AdapterCreated, AdapterDeleted, AdapterDisconnected, AdapterUpdated } from "./Events.ts"
import { AdapterKinds, type Configure, type Kind, type Kinds, withKind, withKindNamed } from "./Kinds.ts"
import { requireAdapter, requireRelay } from "./RequireAdapter.ts"

/** The adapters to other conversations, as they are configured. */
export interface AdaptersService {
  readonly list: Effect.Effect<ReadonlyArray<Adapter>>
  /** An adapter as it is shown: without what may be a secret in an address. */
  readonly shown: (adapter: Adapter) => Adapter
  readonly get: (id: string) => Effect.Effect<Adapter, AdapterNotFound>
  /** The adapter, which must be a relay. */
  readonly relay: (id: string) => Effect.Effect<RelayAdapter, AdapterNotFound | AdapterOfOtherKind>
  /** Makes an adapter, or changes it: what the body does not name keeps its value. */
  readonly put: (
    id: string,
    body: AdapterBody,
    by: ActorContext
  ) => Effect.Effect<Adapter, AdapterRefused | FieldsDenied | AdapterOfOtherKind | AdapterLimitReached>
  /** Switches an adapter off. Its configuration, and all that it knows, stay. */
  readonly disconnect: (id: string, by: ActorContext) => Effect.Effect<Adapter, AdapterNotFound>
  /** Forgets an adapter that is switched off and through which nothing is on its way. What was said stays. */
  readonly remove: (id: string, by: ActorContext) => Effect.Effect<void, AdapterNotFound | AdapterInUse>
}

export class Adapters extends Context.Tag("muster/Adapters")<Adapters, AdaptersService>() {
  static readonly layer = Layer.effect(
    Adapters,
    Effect.gen(function* () {
      const storage = yield* Storage
      const kinds = yield* AdapterKinds
      const wake = (adapter: Adapter) => withKind(kinds, adapter, ({ changed }) => changed(adapter.id))
      return Adapters.of({
        list: storage.read(AdapterRepo.all),
        shown: (adapter) => withKind(kinds, adapter, ({ shown }, own): Adapter => shown(own)),
        get: (id) => storage.read(requireAdapter(id)),
        relay: (id) => storage.read(requireRelay(id)),
        put: Effect.fn("Adapters.put")(function* (id, body, by) {
          const unit = yield* withKindNamed(kinds, body, (kind, own) =>
            Effect.map(kind.configure(id, own, by), (configure) => put(id, kind, configure, by))
          )
          return yield* Effect.tap(storage.write(unit), wake)
        }),
        disconnect: Effect.fn("Adapters.disconnect")((id, by) =>
          Effect.tap(storage.write(disconnect(id, by)), wake)
        ),
        remove: Effect.fn("Adapters.remove")((id, by) => storage.write(remove(id, kinds, by)))
      })
    })
  )
}

/** What the journal is told of an adapter. */
const told = ({ enabled, id, kind }: Adapter) => ({ resourceId: id, kind, enabled })

const put = <Own extends Adapter, Body extends AdapterBody>(
  id: string,
  kind: Kind<Own, Body>,
  configure: Configure<Own>,
  by: ActorContext
): Effect.Effect<Adapter, AdapterRefused | FieldsDenied | AdapterOfOtherKind | AdapterLimitReached, Sql> =>
  Effect.gen(function* () {
    const before = yield* AdapterRepo.find(id)
    if (before === undefined && (yield* AdapterRepo.count) >= adapterLimit)
      return yield* new AdapterLimitReached({ limit: adapterLimit })
    if (before !== undefined && !kind.owns(before))
      return yield* new AdapterOfOtherKind({ adapterId: id, kind: before.kind })
    const { adapter, administrative, issues, keepSecrets } = yield* Effect.mapError(
      configure(before, yield* nowIso),
      (faults) => new AdapterRefused({ issues: faults })
    )
    yield* requireAdministrator(by, administrative)
    if (issues.length > 0) return yield* new AdapterRefused({ issues })
    yield* AdapterRepo.put(adapter)
    yield* keepSecrets
    yield* Journal.record(
      before === undefined ? new AdapterCreated(told(adapter)) : new AdapterUpdated(told(adapter)),
      by
    )
    return adapter
  })

const disconnect = (id: string, by: ActorContext) =>
  Effect.gen(function* () {
    const before = yield* requireAdapter(id)
    const adapter = (yield* AdapterRepo.disable(id, yield* now)) ?? before
    if (before.enabled) yield* Journal.record(new AdapterDisconnected(told(adapter)), by)
    return adapter
  })

const remove = (id: string, kinds: Kinds, by: ActorContext) =>
  Effect.gen(function* () {
    const adapter = yield* requireAdapter(id)
    const openDeliveries = yield* withKind(kinds, adapter, (kind) => kind.openDeliveries(id))
    if (adapter.enabled || openDeliveries > 0)
      return yield* new AdapterInUse({ adapterId: id, enabled: adapter.enabled, openDeliveries })
    yield* withKind(kinds, adapter, ({ forget }) => forget(id))
    yield* AdapterRepo.remove(id)
    yield* Journal.record(new AdapterDeleted(told(adapter)), by)
  })
