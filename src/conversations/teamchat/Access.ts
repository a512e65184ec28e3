import { Effect, Either, Option, Redacted } from "effect"
import { isBearerToken } from "../../kernel/BearerToken.ts"
import type { SecretsService } from "../../kernel/Secrets.ts"
import type { VaultService } from "../../kernel/Vault.ts"
import type { Sql } from "../../storage/Sql.ts"
import type { TeamchatAdapter, TeamchatAdapterBody } from "../adapters/Adapter.ts"
import { isReference } from "./Credential.ts"
import type { Reason } from "./Reason.ts"
import * as SecretRepo from "./SecretRepo.ts"
import { hrefOf } from "./Webhook.ts"

/** Where secrets come from: what was sealed here, and the environment. */
export interface Keepers {
  readonly vault: VaultService
  readonly secrets: SecretsService
}

/** What it takes to call a webhook. */
export interface Access {
  readonly webhookUrl: Redacted.Redacted
  readonly credential: Redacted.Redacted | undefined
}

type Field = "webhookUrl" | "credential"

/** What a sealed text belongs to: it opens for this field of this adapter alone. */
const placeOf = (adapterId: string, field: Field) => ["teamchat", adapterId, field]

/**
 * The secrets of a body as they are stored: sealed, null where the body clears them, absent where it does not name
 * them. What the rules of the adapter will refuse is not sealed, nor is what comes from somebody who may not enter it.
 */
export const sealed = (
  adapterId: string,
  body: TeamchatAdapterBody,
  mayEnter: boolean,
  vault: VaultService
): Effect.Effect<Partial<SecretRepo.StoredSecrets>> =>
  Effect.gen(function* () {
    const webhookUrl = mayEnter || body.webhookUrl === null ? body.webhookUrl : undefined
    const credential = mayEnter || body.credential === null ? body.credential : undefined
    const href = typeof webhookUrl === "string" ? hrefOf(webhookUrl) : null
    return {
      ...(webhookUrl === undefined || href === undefined
        ? {}
        : {
            webhookUrl:
              href === null ? null : yield* vault.seal(Redacted.make(href), placeOf(adapterId, "webhookUrl"))
          }),
      ...(credential === undefined
        ? {}
        : {
            credential:
              credential === null
                ? null
                : isReference(Redacted.value(credential))
                  ? Redacted.value(credential)
                  : yield* vault.seal(credential, placeOf(adapterId, "credential"))
          })
    }
  })

/** The secrets of an adapter one by one, or why each can't be had. Without a credential none is sent. */
export interface Holdings {
  readonly webhookUrl: Either.Either<Redacted.Redacted, Reason>
  readonly credential: Either.Either<Redacted.Redacted | undefined, Reason>
}

/** Opens the secrets of an adapter, as far as they can be had. */
export const holdingsOf = ({ id }: TeamchatAdapter, keepers: Keepers): Effect.Effect<Holdings, never, Sql> =>
  Effect.gen(function* () {
    const stored = yield* SecretRepo.find(id)
    const webhookUrl = webhookUrlOf(id, stored, keepers.vault)
    return {
      webhookUrl,
      credential: yield* credentialOf(id, stored.credential, Either.getOrUndefined(webhookUrl), keepers)
    }
  })

/** What a call needs, or why there can't be one. */
export const accessOf = ({ credential, webhookUrl }: Holdings): Either.Either<Access, Reason> =>
  Either.all({ webhookUrl, credential })

/** The webhook of an adapter. */
export const webhookUrlOf = (
  id: string,
  { webhookUrl }: SecretRepo.StoredSecrets,
  vault: VaultService
): Either.Either<Redacted.Redacted, Reason> =>
  webhookUrl === null
    ? Either.left("webhook_missing")
    : Either.mapLeft(vault.open(webhookUrl, placeOf(id, "webhookUrl")), (): Reason => "webhook_unreadable")

const credentialOf = (
  id: string,
  stored: string | null,
  webhookUrl: Redacted.Redacted | undefined,
  { secrets, vault }: Keepers
): Effect.Effect<Either.Either<Redacted.Redacted | undefined, Reason>> => {
  if (stored === null) return Effect.succeed(Either.right(undefined))
  if (!isReference(stored))
    return Effect.succeed(
      Either.mapLeft(vault.open(stored, placeOf(id, "credential")), (): Reason => "credential_unreadable")
    )
  return Effect.map(
    secrets.find(stored, { for: "request", url: webhookUrl && Redacted.value(webhookUrl) }),
    Option.match({
      onNone: () => Either.left<Reason>("credential_missing"),
      onSome: (found) =>
        isBearerToken(Redacted.value(found)) ? Either.right(found) : Either.left<Reason>("credential_invalid")
    })
  )
}
