import { Context, Effect, Either, Layer } from "effect"
import { Secrets } from "../../kernel/Secrets.ts"
import { Storage } from "../../storage/Storage.ts"
import type { RelayAdapter } from "../adapters/Adapter.ts"
import { enabledMapping } from "../mappings/Units.ts"
import { connectionOf } from "../relay-access/Connection.ts"
import { RelayClient } from "../wire/RelayClient.ts"
import { type Evidence, isPassing, withoutIdentity } from "./Evidence.ts"
import * as EvidenceRepo from "./EvidenceRepo.ts"
import { probe } from "./Probe.ts"

/** Whether relays are the ones that the bridge was tested with, as far as that is known. */
export interface CompatibilityService {
  /** The evidence that counts now. When the key of the adapter is gone, it says so at once. */
  readonly evidence: (adapter: RelayAdapter) => Effect.Effect<Evidence | undefined>
  /** Probes, and keeps what was found. */
  readonly probe: (adapter: RelayAdapter) => Effect.Effect<Evidence>
  /** Probes, and keeps what was found unless it is a passing fault: then the earlier evidence still counts. */
  readonly recheck: (adapter: RelayAdapter) => Effect.Effect<Evidence>
}

export class Compatibility extends Context.Tag("muster/Compatibility")<
  Compatibility,
  CompatibilityService
>() {
  static readonly layer = Layer.effect(
    Compatibility,
    Effect.gen(function* () {
      const storage = yield* Storage
      const secrets = yield* Secrets
      const client = yield* RelayClient
      const look = (adapter: RelayAdapter) =>
        Effect.flatMap(storage.read(enabledMapping(adapter.id)), (mapping) =>
          probe({ client, secrets }, adapter, mapping?.channelId)
        )
      const keep = (adapter: RelayAdapter, found: Evidence) =>
        Effect.as(storage.write(EvidenceRepo.put(adapter.id, found)), found)

      return Compatibility.of({
        evidence: Effect.fn("Compatibility.evidence")(function* (adapter) {
          const stored = yield* storage.read(EvidenceRepo.current(adapter))
          if (stored === undefined) return undefined
          const connection = yield* Effect.either(connectionOf(secrets, adapter))
          return Either.isLeft(connection) ? withoutIdentity(stored, connection.left.reason) : stored
        }),
        probe: Effect.fn("Compatibility.probe")((adapter) =>
          Effect.flatMap(look(adapter), (found) => keep(adapter, found))
        ),
        recheck: Effect.fn("Compatibility.recheck")(function* (adapter) {
          const found = yield* look(adapter)
          const before = yield* storage.read(EvidenceRepo.current(adapter))
          return before !== undefined && isPassing(found.reason) ? found : yield* keep(adapter, found)
        })
      })
    })
  )
}
