import { Schema } from "effect"
import { IdParam } from "../../kernel/IdParam.ts"
import { aSecret, kept } from "../../kernel/Incoming.ts"
import { optional } from "../../kernel/Optional.ts"
import { Permission, Role } from "../../kernel/Permission.ts"
import { everyIssue, listOf, nonBlank, text } from "../../kernel/Text.ts"
import { Timestamp } from "../../kernel/Time.ts"

/** How long a pairing code counts, in milliseconds: five minutes. */
export const pairingMs = 5 * 60 * 1_000

/** How long a device session counts, in milliseconds: 90 days. */
export const deviceSessionMs = 90 * 24 * 60 * 60 * 1_000

/** The most device sessions of a workspace that count at once. */
export const deviceLimit = 1_000

/** What kind of client a device runs, in small letters or as people write it. */
export const ClientMode = Schema.Literal("desktop", "mobile", "pwa").annotations({ identifier: "ClientMode" })

const ClientModeInput = Schema.compose(
  Schema.transform(Schema.String, Schema.String, {
    strict: true,
    decode: (mode) => mode.toLowerCase(),
    encode: (mode) => mode
  }),
  ClientMode
).annotations({ jsonSchema: { type: "string", enum: ["desktop", "mobile", "pwa"] } })

/** The body of a pairing code. Without scopes the device gets all permissions of its role. */
export const PairingDraft = Schema.Struct({
  deviceName: nonBlank(100),
  clientMode: ClientModeInput,
  capabilities: Schema.optionalWith(listOf(nonBlank(100), 50), { default: () => [] }),
  scopes: optional(listOf(Permission, 50)),
  role: Role,
  membershipId: optional(IdParam)
}).annotations({ identifier: "PairingDraft", ...everyIssue })
export type PairingDraft = typeof PairingDraft.Type

/** A pairing code, as its maker sees it, once. */
export const PairingCode = Schema.Struct({
  code: Schema.String.annotations({ description: "Shown here and never again" }),
  link: Schema.String.annotations({
    description: "Holds the signed payload, and the code in it, as base64url JSON in its fragment. Shown once"
  }),
  expiresAt: Timestamp,
  deviceId: Schema.String,
  role: Role,
  scopes: Schema.Array(Permission)
}).annotations({ identifier: "PairingCode" })
export type PairingCode = typeof PairingCode.Type

const signed = kept("This server signed it: it is as it was, or it is refused.")

/** What a device shows to be paired, signed by this server (spec 1-core, Authentication and identity). */
export const PairingPayload = Schema.Struct({
  clientId: text(200, signed),
  clientMode: ClientMode,
  capabilities: listOf(text(200, signed), 50),
  deviceId: text(200, signed),
  scopes: listOf(Permission, 50),
  role: Role,
  workspaceId: text(200, signed),
  nonce: text(200, signed),
  codeHash: text(200, signed),
  timestamp: text(50, signed),
  keyId: text(50, signed),
  signature: text(200, signed)
}).annotations({ identifier: "PairingPayload" })
export type PairingPayload = typeof PairingPayload.Type

/**
 * The body of an exchange. It is taken as loosely as it can be: whoever sends something as a payload tries to come in,
 * and that counts as an attempt, whatever is wrong with it.
 */
export const Exchange = Schema.Struct({
  code: optional(text(200, aSecret)).annotations({
    description: "May be left out when the payload has it in it"
  }),
  payload: optional(
    Schema.Union(
      text(16_384, aSecret),
      Schema.Record({ key: Schema.String, value: Schema.Unknown }).pipe(aSecret)
    )
  ).annotations({
    description: "The pairing link, or its fragment, or the JSON in that: as it is, with its signature"
  })
})
  .pipe(
    Schema.filter(({ code, payload }) => code !== undefined || payload !== undefined, {
      message: () => "Expected a payload with its code"
    })
  )
  .annotations({ identifier: "Exchange", ...everyIssue })
export type Exchange = typeof Exchange.Type

/** What a paired device gets, once. */
export const Paired = Schema.Struct({
  token: Schema.String.annotations({ description: "Goes into `Authorization: Bearer`. Shown once" }),
  deviceSessionId: Schema.String,
  deviceId: Schema.String,
  workspaceId: Schema.String,
  role: Role,
  scopes: Schema.Array(Permission),
  capabilities: Schema.Array(Schema.String),
  expiresAt: Timestamp
}).annotations({ identifier: "Paired" })
export type Paired = typeof Paired.Type

/** A paired device, without its token. */
export const DeviceSession = Schema.Struct({
  id: Schema.String,
  workspaceId: Schema.String,
  membershipId: Schema.String,
  deviceId: Schema.String,
  deviceName: Schema.String,
  clientId: Schema.String,
  clientMode: ClientMode,
  capabilities: Schema.Array(Schema.String),
  role: Role,
  scopes: Schema.Array(Permission),
  status: Schema.Literal("active", "expired", "revoked"),
  createdAt: Timestamp,
  expiresAt: Timestamp,
  revokedAt: Schema.NullOr(Timestamp)
}).annotations({ identifier: "DeviceSession" })
export type DeviceSession = typeof DeviceSession.Type

/** What a device session is good for now. */
export const DeviceTest = Schema.Struct({
  valid: Schema.Boolean,
  status: Schema.Literal("active", "expired", "revoked", "member-removed"),
  deviceSessionId: Schema.String,
  deviceId: Schema.String,
  role: Schema.NullOr(Role).annotations({
    description: "The role that it has now; null when it is not valid"
  }),
  permissions: Schema.Array(Permission),
  degradedReason: optional(Schema.String)
}).annotations({ identifier: "DeviceTest" })
export type DeviceTest = typeof DeviceTest.Type
