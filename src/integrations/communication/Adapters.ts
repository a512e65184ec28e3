import { Context, Effect, Either, Layer, Redacted } from "effect"
import type { ActorContext } from "../../kernel/Actor.ts"
import type { Issue } from "../../kernel/Failures.ts"
import { type FieldsDenied, requireAdministrator } from "../../kernel/FieldRights.ts"
import { Secrets } from "../../kernel/Secrets.ts"
import { now, nowIso } from "../../kernel/Time.ts"
import { Vault } from "../../kernel/Vault.ts"
import * as Journal from "../../storage/Journal.ts"
import type { Sql } from "../../storage/Sql.ts"
import { Storage } from "../../storage/Storage.ts"
import { Bridge } from "../relay/bridge/Bridge.ts"
import * as MappingRepo from "../relay/channels/MappingRepo.ts"
import { removeMapping } from "../relay/channels/Removal.ts"
import * as EvidenceRepo from "../relay/compatibility/EvidenceRepo.ts"
import {
  configured as configuredRelay,
  administrative as relayAdministrative,
  referenceIssues as relayReferenceIssues
} from "../relay/config/Configuring.ts"
import * as OutgoingRepo from "../relay/outgoing/OutgoingRepo.ts"
import { type Keepers, sealed, webhookUrlOf } from "../teamchat/Access.ts"
import {
  configured as configuredTeamchat,
  administrative as teamchatAdministrative,
  referenceIssues as teamchatReferenceIssues
} from "../teamchat/Configuring.ts"
import * as SecretRepo from "../teamchat/SecretRepo.ts"
import {
  type Adapter,
  type AdapterBody,
  adapterLimit,
  type RelayAdapter,
  type RelayAdapterBody,
  type TeamchatAdapter,
  type TeamchatAdapterBody
} from "./Adapter.ts"
import * as AdapterRepo from "./AdapterRepo.ts"
import {
  AdapterInUse,
  AdapterLimitReached,
  AdapterNotFound,
  AdapterOfOtherKind,
  AdapterRefused
} from "./Errors.ts"
import { AdapterCreated, AdapterDeleted, AdapterDisconnected, AdapterUpdated } from "./Events.ts"

/** The adapters to other conversations, as they are configured. */
export interface AdaptersService {
  readonly list: Effect.Effect<ReadonlyArray<Adapter>>
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
      const bridge = yield* Bridge
      const keepers: Keepers = { vault: yield* Vault, secrets: yield* Secrets }
      return Adapters.of({
        list: storage.read(AdapterRepo.all),
        get: (id) => storage.read(requireAdapter(id)),
        relay: (id) => storage.read(requireRelay(id)),
        put: Effect.fn("Adapters.put")(function* (id, body, by) {
          const entered = yield* enteredBy(id, body, by, keepers)
          const adapter = yield* storage.write(put(id, body, entered, by, keepers))
          yield* bridge.changed(id)
          return adapter
        }),
        disconnect: (id, by) => Effect.zipLeft(storage.write(disconnect(id, by)), bridge.changed(id)),
        remove: (id, by) => storage.write(remove(id, by))
      })
    })
  )
}

/** The adapter with an id; for what refers to one. */
export const requireAdapter = (id: string): Effect.Effect<Adapter, AdapterNotFound, Sql> =>
  Effect.filterOrFail(
    AdapterRepo.find(id),
    (found) => found !== undefined,
    () => new AdapterNotFound({ adapterId: id })
  )

/** The adapter with an id, which must be a relay. */
export const requireRelay = (
  id: string
): Effect.Effect<RelayAdapter, AdapterNotFound | AdapterOfOtherKind, Sql> =>
  Effect.flatMap(requireAdapter(id), (adapter) =>
    adapter.kind === "relay"
      ? Effect.succeed(adapter)
      : new AdapterOfOtherKind({ adapterId: adapter.id, kind: adapter.kind })
  )

/** What the journal is told of an adapter: its workers and its streams hear of it. */
const told = ({ enabled, id, kind }: Adapter) => ({ resourceId: id, kind, enabled })

/** The secrets that a body enters, as they are stored. Those of a relay lie in the environment. */
const enteredBy = (
  id: string,
  body: AdapterBody,
  { permissions }: ActorContext,
  { vault }: Keepers
): Effect.Effect<Partial<SecretRepo.StoredSecrets>> =>
  body.kind === "relay" ? Effect.succeed({}) : sealed(id, body, permissions.has("admin:manage"), vault)

/** An adapter as a body leaves it. */
interface Configured {
  readonly adapter: Adapter
  /** The fields of the body that only an administrator may set. */
  readonly administrative: ReadonlyArray<string>
  /** What is wrong with the secrets that it names, which is told to nobody who may not name them. */
  readonly issues: ReadonlyArray<Issue>
}

const relayBy = (
  id: string,
  body: RelayAdapterBody,
  before: RelayAdapter | undefined,
  secrets: typeof Secrets.Service,
  at: string
): Either.Either<Configured, ReadonlyArray<Issue>> =>
  Either.map(configuredRelay(id, body, before, at), (adapter) => ({
    adapter,
    administrative: relayAdministrative(adapter, before),
    issues: relayReferenceIssues(body, adapter, before, secrets)
  }))

const teamchatBy = (
  id: string,
  body: TeamchatAdapterBody,
  before: TeamchatAdapter | undefined,
  { secrets, vault }: Keepers,
  at: string
): Effect.Effect<Configured, ReadonlyArray<Issue>, Sql> =>
  Effect.gen(function* () {
    const kept = yield* SecretRepo.find(id)
    const webhook = Either.getOrUndefined(webhookUrlOf(id, kept, vault))
    const stored = { before, credential: kept.credential, webhookUrl: webhook && Redacted.value(webhook) }
    const adapter = yield* configuredTeamchat(id, body, stored, at)
    return {
      adapter,
      administrative: teamchatAdministrative(body, stored),
      issues: teamchatReferenceIssues(body, adapter, stored, secrets)
    }
  })

const configuredBy = (
  id: string,
  body: AdapterBody,
  before: Adapter | undefined,
  keepers: Keepers,
  at: string
): Effect.Effect<Configured, ReadonlyArray<Issue>, Sql> =>
  body.kind === "relay"
    ? relayBy(id, body, before?.kind === "relay" ? before : undefined, keepers.secrets, at)
    : teamchatBy(id, body, before?.kind === "teamchat" ? before : undefined, keepers, at)

const put = (
  id: string,
  body: AdapterBody,
  entered: Partial<SecretRepo.StoredSecrets>,
  by: ActorContext,
  keepers: Keepers
) =>
  Effect.gen(function* () {
    const before = yield* AdapterRepo.find(id)
    if (before === undefined && (yield* AdapterRepo.count) >= adapterLimit)
      return yield* new AdapterLimitReached({ limit: adapterLimit })
    const other = before === undefined || before.kind === body.kind ? undefined : before
    if (other !== undefined) return yield* new AdapterOfOtherKind({ adapterId: id, kind: other.kind })
    const { adapter, administrative, issues } = yield* Effect.mapError(
      configuredBy(id, body, before, keepers, yield* nowIso),
      (faults) => new AdapterRefused({ issues: faults })
    )
    yield* requireAdministrator(by, administrative)
    if (issues.length > 0) return yield* new AdapterRefused({ issues })
    yield* AdapterRepo.put(adapter)
    if (adapter.kind === "teamchat")
      yield* SecretRepo.change(id, { ...entered, ...(adapter.hasCredential ? {} : { credential: null }) })
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

const remove = (id: string, by: ActorContext) =>
  Effect.gen(function* () {
    const adapter = yield* requireAdapter(id)
    const { queued, unknown } = yield* OutgoingRepo.counts(id)
    const openDeliveries = queued + unknown
    if (adapter.enabled || openDeliveries > 0)
      return yield* new AdapterInUse({ adapterId: id, enabled: adapter.enabled, openDeliveries })
    const mappings = yield* MappingRepo.ofAdapter(id)
    yield* Effect.forEach(mappings, (mapping) => removeMapping(mapping.id), { discard: true })
    yield* EvidenceRepo.remove(id)
    yield* SecretRepo.remove(id)
    yield* AdapterRepo.remove(id)
    yield* Journal.record(new AdapterDeleted(told(adapter)), by)
  })
