import { Context, Effect, Layer, Ref } from "effect"
import { system } from "../../kernel/Actor.ts"
import { Secrets } from "../../kernel/Secrets.ts"
import * as Journal from "../../storage/events/Journal.ts"
import type { Sql } from "../../storage/Sql.ts"
import { Storage } from "../../storage/Storage.ts"
import { isRelay, type RelayAdapter, type RelayAdapterBody } from "../adapters/Adapter.ts"
import type { Kind } from "../adapters/Kinds.ts"
import { Bridge } from "../bridge/Bridge.ts"
import { removeMapping } from "../channels/Units.ts"
import { Compatibility } from "../compatibility/Compatibility.ts"
import type { Evidence } from "../compatibility/Evidence.ts"
import { forgetEvidence } from "../compatibility/Units.ts"
import { lastSuccess } from "../deliveries/Units.ts"
import { countPending } from "../inbox/Units.ts"
import { enabledMapping, mappingsOf } from "../mappings/Units.ts"
import { Outgoing } from "../outbox/Outgoing.ts"
import { countOpen } from "../outbox/Units.ts"
import { shownEndpoint } from "../relay-access/Endpoints.ts"
import { administrative, configured, referenceIssues } from "./Configuration.ts"
import { AdapterProbed } from "./Events.ts"
import { healthOf } from "./Health.ts"
import { askVersion, type VersionReport } from "./VersionCommand.ts"

/** How relays are spoken to (spec 2-relay). */
export class Relay extends Context.Tag("muster/Relay")<Relay, Kind<RelayAdapter, RelayAdapterBody>>() {
  static readonly layer = Layer.effect(
    Relay,
    Effect.gen(function* () {
      const storage = yield* Storage
      const bridge = yield* Bridge
      const compatibility = yield* Compatibility
      const outgoing = yield* Outgoing
      const secrets = yield* Secrets
      const versions = yield* Ref.make<ReadonlyMap<string, VersionReport>>(new Map())

      const describe = (adapter: RelayAdapter, evidence: Evidence | undefined) =>
        Effect.gen(function* () {
          const runtime = yield* bridge.runtime(adapter)
          const version = (yield* Ref.get(versions)).get(adapter.id)
          const known = yield* storage.read(
            Effect.gen(function* () {
              const mapping = yield* enabledMapping(adapter.id)
              return {
                mapping,
                pendingReplies: mapping === undefined ? 0 : yield* countPending(mapping.id),
                waiting: yield* countOpen(adapter.id),
                lastSuccessAt: yield* lastSuccess(adapter.id)
              }
            })
          )
          return healthOf({ adapter, evidence, runtime, version, ...known })
        })

      const probe = (adapter: RelayAdapter) =>
        Effect.gen(function* () {
          const evidence = yield* compatibility.probe(adapter)
          yield* storage.write(
            Journal.record(
              new AdapterProbed({
                resourceId: adapter.id,
                status: evidence.status,
                reason: evidence.reason
              }),
              system
            )
          )
          yield* bridge.changed(adapter.id)
          return evidence
        })

      return Relay.of({
        owns: isRelay,
        shown: (adapter) => ({
          ...adapter,
          relayHttpUrl: shownEndpoint(adapter.relayHttpUrl),
          relayWebSocketUrl:
            adapter.relayWebSocketUrl === null ? null : shownEndpoint(adapter.relayWebSocketUrl)
        }),
        // The secrets of a relay lie in the environment: there is nothing to seal.
        configure: (id, body) =>
          Effect.succeed((before, at) =>
            Effect.map(configured(id, body, before, at), (adapter) => ({
              adapter,
              administrative: administrative(adapter, before),
              issues: referenceIssues(body, adapter, before, secrets),
              keepSecrets: Effect.void
            }))
          ),
        changed: bridge.changed,
        openDeliveries: (id) => Effect.map(countOpen(id), ({ queued, unknown }) => queued + unknown),
        forget,
        health: Effect.fn("Relay.health")(function* (adapter) {
          const evidence = yield* compatibility.evidence(adapter)
          return yield* describe(adapter, evidence ?? (adapter.enabled ? yield* probe(adapter) : undefined))
        }),
        test: Effect.fn("Relay.test")(function* (adapter) {
          const { command } = adapter
          if (command !== null) {
            const version = yield* askVersion(command)
            yield* Ref.update(versions, (known) => new Map(known).set(adapter.id, version))
          }
          return yield* describe(adapter, yield* probe(adapter))
        }),
        send: outgoing.send,
        poll: outgoing.reconcile
      })
    })
  )
}

const forget = (adapterId: string): Effect.Effect<void, never, Sql> =>
  Effect.gen(function* () {
    const mappings = yield* mappingsOf(adapterId)
    yield* Effect.forEach(mappings, ({ id }) => removeMapping(id), { discard: true })
    yield* forgetEvidence(adapterId)
  })
