import { Schema } from "effect"
import { kept } from "../../kernel/Incoming.ts"
import { optional } from "../../kernel/Optional.ts"
import { SecretReference } from "../../kernel/SecretReference.ts"
import { everyIssue, listOf, nonBlank, text } from "../../kernel/Text.ts"
import { Timestamp } from "../../kernel/Time.ts"
import { urlText } from "../../kernel/UrlText.ts"

/** The most adapters that a board has. */
export const adapterLimit = 20

/** What an adapter leads to: a community relay, or a team chat by webhook (spec 2-relay, Adapter configuration). */
export const AdapterKind = Schema.Literal("relay", "teamchat").annotations({ identifier: "AdapterKind" })
export type AdapterKind = typeof AdapterKind.Type

/** The id of an adapter, which its first PUT chooses. */
export const AdapterIdParam = Schema.String.pipe(
  Schema.pattern(/^[A-Za-z0-9_-]{1,64}$/, {
    message: () => "Expected 1 to 64 letters, digits, - or _: the id of an adapter"
  }),
  kept("It is the id of an adapter, which stands in paths as it is.")
).annotations({ description: "The id of an adapter: 1 to 64 letters, digits, `-` or `_`" })

const checked = kept("A credential in it is refused when the adapter is configured.")

/** A program that tells its version, for diagnostics and nothing else. It runs without a shell. */
export const VersionCommand = Schema.Struct({
  executable: nonBlank(1_000, checked),
  args: listOf(text(1_000, checked), 64)
}).annotations({ identifier: "VersionCommand" })
export type VersionCommand = typeof VersionCommand.Type

/** 64 digits of hex, in small letters from here on. */
export const PublicKey = Schema.transform(
  Schema.String.pipe(
    Schema.pattern(/^[0-9a-fA-F]{64}$/, { message: () => "Expected a public key: 64 digits of hex" })
  ),
  Schema.String,
  { strict: true, decode: (key) => key.toLowerCase(), encode: (key) => key }
)
  .annotations({ jsonSchema: { type: "string", pattern: "^[0-9a-fA-F]{64}$" } })
  .pipe(kept("A public key is public."))

const sealed = kept("It is a credential: it is stored sealed and never shown.")

const common = { displayName: nonBlank(200), enabled: Schema.Boolean }

const allowances = {
  allowLocalhost: optional(Schema.Boolean),
  allowPrivateNetwork: optional(Schema.Boolean)
}

/** The body of a PUT for a relay. What is absent keeps its value; null clears. */
export const RelayAdapterBody = Schema.Struct({
  kind: Schema.Literal("relay"),
  ...common,
  relayHttpUrl: optional(urlText(2_000)),
  relayWebSocketUrl: optional(Schema.NullOr(urlText(2_000))),
  expectedCommunity: optional(Schema.NullOr(urlText(500))),
  publicKey: optional(Schema.NullOr(PublicKey)),
  credentialRef: optional(Schema.NullOr(SecretReference)),
  authTagRef: optional(Schema.NullOr(SecretReference)),
  ...allowances,
  command: optional(Schema.NullOr(VersionCommand))
}).annotations({ identifier: "RelayAdapterBody", ...everyIssue })
export type RelayAdapterBody = typeof RelayAdapterBody.Type

/** The body of a PUT for a team chat. What is absent keeps its value; null clears. */
export const TeamchatAdapterBody = Schema.Struct({
  kind: Schema.Literal("teamchat"),
  ...common,
  deliveryMode: optional(Schema.Literal("webhook")),
  destinationType: optional(Schema.Literal("channel")),
  tenantId: optional(Schema.NullOr(nonBlank(200))),
  teamId: optional(Schema.NullOr(nonBlank(200))),
  channelId: optional(Schema.NullOr(nonBlank(200))),
  webhookUrl: optional(Schema.NullOr(urlText(2_000, sealed))),
  credential: optional(Schema.NullOr(Schema.Redacted(nonBlank(4_096, sealed)))),
  ...allowances
}).annotations({ identifier: "TeamchatAdapterBody", ...everyIssue })
export type TeamchatAdapterBody = typeof TeamchatAdapterBody.Type

/** The body of a PUT; its kind decides. */
export const AdapterBody = Schema.Union(RelayAdapterBody, TeamchatAdapterBody).annotations({
  identifier: "AdapterBody"
})
export type AdapterBody = typeof AdapterBody.Type

const shared = {
  id: Schema.String,
  displayName: Schema.String,
  enabled: Schema.Boolean,
  allowLocalhost: Schema.Boolean,
  allowPrivateNetwork: Schema.Boolean,
  createdAt: Timestamp,
  updatedAt: Timestamp
}

/** A relay as it is configured. It names variables and never shows what they hold. */
export const RelayAdapter = Schema.Struct({
  kind: Schema.Literal("relay"),
  ...shared,
  relayHttpUrl: Schema.String,
  relayWebSocketUrl: Schema.NullOr(Schema.String),
  expectedCommunity: Schema.NullOr(Schema.String),
  publicKey: Schema.NullOr(Schema.String),
  credentialRef: Schema.NullOr(SecretReference),
  authTagRef: Schema.NullOr(SecretReference),
  command: Schema.NullOr(VersionCommand)
}).annotations({ identifier: "RelayAdapter" })
export type RelayAdapter = typeof RelayAdapter.Type

/** A team chat as it is shown: whether there is a webhook and a credential, never which. */
export const TeamchatAdapter = Schema.Struct({
  kind: Schema.Literal("teamchat"),
  ...shared,
  deliveryMode: Schema.Literal("webhook"),
  destinationType: Schema.Literal("channel"),
  tenantId: Schema.NullOr(Schema.String),
  teamId: Schema.NullOr(Schema.String),
  channelId: Schema.NullOr(Schema.String),
  webhookUrlConfigured: Schema.Boolean,
  webhookUrlRedacted: Schema.NullOr(Schema.String),
  hasCredential: Schema.Boolean
}).annotations({ identifier: "TeamchatAdapter" })
export type TeamchatAdapter = typeof TeamchatAdapter.Type

export const Adapter = Schema.Union(RelayAdapter, TeamchatAdapter).annotations({ identifier: "Adapter" })
export type Adapter = typeof Adapter.Type

export const isRelay = (adapter: Adapter): adapter is RelayAdapter => adapter.kind === "relay"
export const isTeamchat = (adapter: Adapter): adapter is TeamchatAdapter => adapter.kind === "teamchat"
