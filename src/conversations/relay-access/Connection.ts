import { Effect, Either, Option } from "effect"
import type { SecretReference } from "../../kernel/SecretReference.ts"
import type { SecretsService } from "../../kernel/Secrets.ts"
import { now } from "../../kernel/Time.ts"
import type { RelayAdapter } from "../adapters/Adapter.ts"
import { allowanceOf } from "../adapters/Allowance.ts"
import { identityOf } from "../wire/Identity.ts"
import { attestationOf } from "../wire/OwnerAttestation.ts"
import type { Reason } from "../wire/Reason.ts"
import { type Connection, type Endpoint, RelayFailure } from "../wire/RelayClient.ts"
import { endpointsOf } from "./Endpoints.ts"

/** Where an adapter's relay is. The stored address was checked, so a fault means that the rules became stricter. */
export const endpointOf = (adapter: RelayAdapter): Effect.Effect<Endpoint, RelayFailure> =>
  Either.match(endpointsOf(adapter.relayHttpUrl, adapter.relayWebSocketUrl, adapter), {
    onLeft: () => Effect.fail(new RelayFailure({ reason: "network_policy_blocked" })),
    onRight: (endpoints) => Effect.succeed({ ...endpoints, allow: allowanceOf(adapter) })
  })

const secretOf = (
  { find, isSet }: SecretsService,
  reference: SecretReference,
  { relayHttpUrl }: RelayAdapter,
  { missing, unlisted }: { readonly missing: Reason; readonly unlisted: Reason }
) =>
  Effect.flatMap(
    find(reference, { for: "relay-adapter", url: relayHttpUrl }),
    Option.match({
      onNone: () => Effect.fail(new RelayFailure({ reason: isSet(reference) ? unlisted : missing })),
      onSome: Effect.succeed
    })
  )

/** An adapter's relay and the identity that speaks there. Nothing is signed with a key that is not the configured one. */
export const connectionOf = (
  secrets: SecretsService,
  adapter: RelayAdapter
): Effect.Effect<Connection, RelayFailure> =>
  Effect.gen(function* () {
    const endpoint = yield* endpointOf(adapter)
    const { authTagRef, credentialRef, publicKey } = adapter
    if (publicKey === null || credentialRef === null)
      return yield* new RelayFailure({ reason: "configuration_missing" })
    const identity = yield* Effect.mapError(
      Effect.flatMap(
        secretOf(secrets, credentialRef, adapter, {
          missing: "credential_missing",
          unlisted: "credential_unlisted"
        }),
        identityOf
      ),
      (fault) => (fault._tag === "MalformedKey" ? new RelayFailure({ reason: "credential_invalid" }) : fault)
    )
    if (identity.publicKey !== publicKey) return yield* new RelayFailure({ reason: "public_key_mismatch" })
    const attestation =
      authTagRef === null
        ? undefined
        : yield* Effect.mapError(
            Effect.flatMap(
              secretOf(secrets, authTagRef, adapter, {
                missing: "auth_tag_missing",
                unlisted: "auth_tag_unlisted"
              }),
              (secret) => attestationOf(secret, publicKey)
            ),
            (fault) =>
              fault._tag === "AttestationRefused" ? new RelayFailure({ reason: "auth_tag_invalid" }) : fault
          )
    if (attestation?.holdsAt(Math.floor((yield* now) / 1_000)) === false)
      return yield* new RelayFailure({ reason: "auth_tag_outside_its_time" })
    return { ...endpoint, identity, attestation }
  })
