import { randomBytes } from "node:crypto"
import { Effect, Option, Schema } from "effect"
import { type ActorContext, anonymous } from "../../kernel/Actor.ts"
import { newId } from "../../kernel/Ids.ts"
import { aSecret } from "../../kernel/Incoming.ts"
import { nonBlank } from "../../kernel/Text.ts"
import { iso, now } from "../../kernel/Time.ts"
import * as Journal from "../../storage/events/Journal.ts"
import type { Sql } from "../../storage/Sql.ts"
import type { MemberNotFound, WorkspaceNotFound } from "../members/Errors.ts"
import { granteeOf } from "../members/Units.ts"
import { type GrantTooWide, requireWithin } from "../principals/GrantLimit.ts"
import { type Grant, granted, lower } from "../principals/Scopes.ts"
import {
  type DeviceSession,
  deviceLimit,
  deviceSessionMs,
  type Exchange,
  type PairingDraft,
  PairingPayload,
  pairingMs
} from "./Device.ts"
import * as DeviceRepo from "./DeviceRepo.ts"
import { DeviceLimit, PairingRefused } from "./Errors.ts"
import { DevicePaired, PairingCodeCreated, PairingFailed } from "./Events.ts"

/*
 * How a device is paired: an admin offers it a code, and the device redeems the code with the payload of its link.
 */

/** A code that people can read to each other: twelve letters and digits that do not look alike, 60 random bits. */
export const newCode: Effect.Effect<string> = Effect.sync(() => {
  const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
  const letters = [...randomBytes(12)].map((byte) => alphabet[byte & 31]).join("")
  return `${letters.slice(0, 4)}-${letters.slice(4, 8)}-${letters.slice(8)}`
})

/** What a pairing code is stored by, and what it will open. */
export interface Offer {
  readonly nonce: string
  readonly codeHash: string
  readonly deviceId: string
  readonly draft: PairingDraft
}

/** Stores a code. Gives what it grants, and when it was made, in milliseconds since the epoch. */
export const offer = (
  workspaceId: string,
  { codeHash, deviceId, draft, nonce }: Offer,
  by: ActorContext
): Effect.Effect<
  { readonly at: number; readonly grant: Grant },
  WorkspaceNotFound | MemberNotFound | GrantTooWide | DeviceLimit,
  Sql
> =>
  Effect.gen(function* () {
    const member = yield* granteeOf(workspaceId, draft.membershipId, by)
    const role = lower(draft.role, member.role)
    const grant = { role, scopes: granted(role, draft.scopes) }
    yield* requireWithin(grant, by)
    const at = yield* now
    if ((yield* DeviceRepo.countActive(workspaceId, at)) >= deviceLimit) {
      return yield* new DeviceLimit({ limit: deviceLimit })
    }
    const pairing = {
      codeHash,
      membershipId: member.id,
      deviceName: draft.deviceName,
      expiresAt: at + pairingMs
    }
    yield* DeviceRepo.insertPairing(nonce, pairing, at)
    const { clientMode } = draft
    yield* Journal.record(
      new PairingCodeCreated({ resourceId: deviceId, membershipId: member.id, clientMode, ...grant }),
      by
    )
    return { at, grant }
  })

/** A payload and its code, as a device shows them. */
export interface Redemption {
  readonly payload: PairingPayload
  readonly code: string
}

const Opened = Schema.Struct({
  ...PairingPayload.fields,
  code: Schema.optionalWith(nonBlank(200, aSecret), { exact: true })
})

const open = Schema.decodeUnknownOption(
  Schema.Union(Schema.compose(Schema.StringFromBase64Url, Schema.parseJson(Opened)), Opened)
)

/** What an exchange shows, if it is a payload with a code. A link is as good as its fragment. */
export const redemptionOf = ({ code: given, payload: shown }: Exchange): Redemption | undefined => {
  const opened = Option.getOrUndefined(
    open(typeof shown === "string" ? shown.slice(shown.indexOf("#") + 1) : shown)
  )
  if (opened === undefined) return undefined
  const { code: enclosed, ...payload } = opened
  const code = given ?? enclosed
  return code === undefined ? undefined : { payload, code: code.trim() }
}

/** Uses a code up and opens its device session, in one unit: of two at once, one is paired. */
export const pair = (
  payload: PairingPayload,
  tokenHash: string,
  at: number
): Effect.Effect<DeviceSession, PairingRefused, Sql> =>
  Effect.gen(function* () {
    const pairing = yield* DeviceRepo.takePairing(payload.nonce, payload.codeHash, at)
    if (pairing === undefined) return yield* new PairingRefused()
    const { capabilities, clientId, clientMode, deviceId, role, scopes, workspaceId } = payload
    const session: DeviceSession = {
      id: yield* newId("devsession"),
      workspaceId,
      membershipId: pairing.membershipId,
      deviceId,
      deviceName: pairing.deviceName,
      clientId,
      clientMode,
      capabilities,
      role,
      scopes,
      status: "active",
      createdAt: iso(at),
      expiresAt: iso(at + deviceSessionMs),
      revokedAt: null
    }
    yield* DeviceRepo.insert(session, tokenHash)
    yield* Journal.record(new DevicePaired(aboutSession(session)), anonymous)
    return session
  })

/**
 * A pairing that failed stands in the audit chain with the address that it came from, without the code and without what
 * the payload claims.
 */
export const refused = (
  redemption: Redemption | undefined,
  address: string
): Effect.Effect<void, never, Sql> => {
  const resourceId = /^device_[0-9a-z]{16}$/.exec(redemption?.payload.deviceId ?? "")?.[0] ?? "unknown"
  return Journal.note(new PairingFailed({ resourceId, address }), anonymous)
}

/** What every event of a device session says. */
export const aboutSession = ({ deviceId, id, membershipId, role }: DeviceSession) => ({
  resourceId: deviceId,
  deviceSessionId: id,
  membershipId,
  role
})
