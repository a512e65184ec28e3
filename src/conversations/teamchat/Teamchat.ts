import { Context, Effect, Either, Layer, Redacted } from "effect"
import { system } from "../../kernel/Actor.ts"
import { Outbound } from "../../kernel/outbound/Outbound.ts"
import { Secrets } from "../../kernel/Secrets.ts"
import { Vault } from "../../kernel/Vault.ts"
import type { Sql } from "../../storage/Sql.ts"
import { Storage } from "../../storage/Storage.ts"
import { isTeamchat, type TeamchatAdapter, type TeamchatAdapterBody } from "../adapters/Adapter.ts"
import { allowanceOf } from "../adapters/Allowance.ts"
import type { Configure, Kind } from "../adapters/Kinds.ts"
import { allAdapters } from "../adapters/Units.ts"
import { newestDeliveries } from "../deliveries/Units.ts"
import { type Access, accessOf, holdingsOf, type Keepers, sealed, webhookUrlOf } from "./Access.ts"
import { administrative, configured, referenceIssues } from "./Configuration.ts"
import { healthOf } from "./Health.ts"
import { reasonOfFailure } from "./PostMessage.ts"
import * as SecretRepo from "./SecretRepo.ts"
import { type Means, send, settle } from "./SendMessage.ts"

/** Team chats: each is a webhook that gets what is sent, and whoever posts its replies here. */
export class Teamchat extends Context.Tag("muster/Teamchat")<
  Teamchat,
  Kind<TeamchatAdapter, TeamchatAdapterBody>
>() {
  static readonly layer = Layer.effect(
    Teamchat,
    Effect.gen(function* () {
      const storage = yield* Storage
      const outbound = yield* Outbound
      const means: Means = { storage, outbound, secrets: yield* Secrets, vault: yield* Vault }
      yield* storage.write(noteInterrupted)

      /** Whether the name of the webhook leads where the adapter may go. Nothing is sent. */
      const routed = (adapter: TeamchatAdapter, { webhookUrl }: Access) =>
        Effect.match(outbound.route(Redacted.value(webhookUrl), allowanceOf(adapter)), {
          onFailure: reasonOfFailure,
          onSuccess: () => undefined
        })

      return Teamchat.of({
        owns: isTeamchat,
        // It was stored without its secrets: they lie sealed beside it.
        shown: (adapter) => adapter,
        configure: (id, body, { permissions }) =>
          Effect.map(sealed(id, body, permissions.has("admin:manage"), means.vault), (entered) =>
            configureWith(id, body, entered, means)
          ),
        // Nothing runs for a team chat, and what goes out to one is over with its call.
        changed: () => Effect.void,
        openDeliveries: () => Effect.succeed(0),
        forget: SecretRepo.remove,
        health: (adapter) =>
          Effect.map(storage.read(holdingsOf(adapter, means)), (holdings) => healthOf(adapter, holdings)),
        test: Effect.fn("Teamchat.test")(function* (adapter) {
          const holdings = yield* storage.read(holdingsOf(adapter, means))
          const access = accessOf(holdings)
          const reason = Either.isRight(access) ? yield* routed(adapter, access.right) : undefined
          return healthOf(adapter, holdings, reason)
        }),
        send: Effect.fn("Teamchat.send")((adapter, request, by) => send(adapter, request, by, means)),
        poll: undefined
      })
    })
  )
}

const configureWith =
  (
    id: string,
    body: TeamchatAdapterBody,
    entered: Partial<SecretRepo.StoredSecrets>,
    { secrets, vault }: Keepers
  ): Configure<TeamchatAdapter> =>
  (before, at) =>
    Effect.gen(function* () {
      const kept = yield* SecretRepo.find(id)
      const webhook = Either.getOrUndefined(webhookUrlOf(id, kept, vault))
      const stored = { before, credential: kept.credential, webhookUrl: webhook && Redacted.value(webhook) }
      const adapter = yield* configured(id, body, stored, at)
      return {
        adapter,
        administrative: administrative(body, stored),
        issues: referenceIssues(body, adapter, stored, secrets),
        keepSecrets: SecretRepo.change(id, {
          ...entered,
          ...(adapter.hasCredential ? {} : { credential: null })
        })
      }
    })

/** Messages that were on their way when the server died: nobody can tell whether they have arrived. */
const noteInterrupted: Effect.Effect<void, never, Sql> = Effect.gen(function* () {
  for (const adapter of yield* allAdapters) {
    if (adapter.kind !== "teamchat") continue
    const pending = { adapterId: adapter.id, direction: "outbound", status: "queued", limit: 500 } as const
    for (;;) {
      const { items } = yield* newestDeliveries(pending)
      if (items.length === 0) break
      for (const { id } of items) yield* settle(adapter, id, system)("delivery_unknown", "interrupted")
    }
  }
})
