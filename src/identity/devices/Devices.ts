import { randomBytes } from "node:crypto"
import { Context, Effect, Layer } from "effect"
import { type ActorContext, anonymous } from "../../kernel/Actor.ts"
import { newId } from "../../kernel/Ids.ts"
import { defaultLimit } from "../../kernel/Paging.ts"
import { iso, now } from "../../kernel/Time.ts"
import { hashOfToken, newToken } from "../../kernel/Token.ts"
import type { TooManyAttempts } from "../../kernel/TooManyAttempts.ts"
import * as Audit from "../../storage/Audit.ts"
import * as Journal from "../../storage/Journal.ts"
import type { Sql } from "../../storage/Sql.ts"
import { Storage } from "../../storage/Storage.ts"
import type { Sender } from "../auth/Credentials.ts"
import type { MemberNotFound, WorkspaceNotFound } from "../members/Errors.ts"
import { granteeOf } from "../members/Grantee.ts"
import * as MemberRepo from "../members/MemberRepo.ts"
import { requireWorkspace } from "../members/Members.ts"
import { Principals } from "../Principals.ts"
import { effective, granted, lower } from "../Scopes.ts"
import { SigningKeys } from "../signing/SigningKeys.ts"
import { Throttle } from "../Throttle.ts"
import {
  type DeviceSession,
  type DeviceTest,
  deviceLimit,
  deviceSessionMs,
  type Exchange,
  type Paired,
  type PairingCode,
  type PairingDraft,
  pairingMs
} from "./Device.ts"
import * as DeviceRepo from "./DeviceRepo.ts"
import { DeviceLimit, DeviceSessionNotFound, PairingRefused } from "./Errors.ts"
import { isSealed, linkOf, seal } from "./Seal.ts"

/** The devices of the members: desktops, phones, installed web pages. */
export interface DevicesService {
  readonly list: (
    workspaceId: string,
    limit?: number
  ) => Effect.Effect<ReadonlyArray<DeviceSession>, WorkspaceNotFound>
  /** Makes a code that pairs one device, once and soon. */
  readonly createPairing: (
    workspaceId: string,
    draft: PairingDraft,
    from: Sender,
    by: ActorContext
  ) => Effect.Effect<PairingCode, WorkspaceNotFound | MemberNotFound | DeviceLimit>
  /** Redeems a pairing payload: the token is in the answer and nowhere else. */
  readonly exchange: (
    exchange: Exchange,
    from: Sender
  ) => Effect.Effect<Paired, PairingRefused | TooManyAttempts>
  /** What a device session is good for now, as its next request would find it. */
  readonly test: (
    workspaceId: string,
    id: string
  ) => Effect.Effect<DeviceTest, WorkspaceNotFound | DeviceSessionNotFound>
  readonly revoke: (
    workspaceId: string,
    id: string,
    by: ActorContext
  ) => Effect.Effect<DeviceSession, WorkspaceNotFound | DeviceSessionNotFound>
}

export class Devices extends Context.Tag("muster/Devices")<Devices, DevicesService>() {
  static readonly layer = Layer.effect(
    Devices,
    Effect.gen(function* () {
      const storage = yield* Storage
      const principals = yield* Principals
      const throttle = yield* Throttle
      const keys = yield* SigningKeys

      return Devices.of({
        list: (workspaceId, limit = defaultLimit) =>
          storage.read(
            Effect.zipRight(
              requireWorkspace(workspaceId),
              Effect.flatMap(now, (at) => DeviceRepo.list(workspaceId, at, limit))
            )
          ),
        createPairing: Effect.fn("Devices.createPairing")(function* (workspaceId, draft, { host }, by) {
          const code = newCode()
          const [nonce, deviceId, clientId] = [
            yield* newId("nonce"),
            yield* newId("device"),
            yield* newId("client")
          ]
          const codeHash = hashOfToken(code)
          const unit = Effect.gen(function* () {
            const member = yield* granteeOf(workspaceId, draft.membershipId, by)
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
            const role = lower(draft.role, member.role)
            const grant = { role, scopes: granted(role, draft.scopes) }
            yield* Journal.record({
              kind: "pairing-code.created",
              resource: "device",
              resourceId: deviceId,
              by,
              payload: { membershipId: member.id, clientMode: draft.clientMode, ...grant }
            })
            return { at, grant }
          })
          const { at, grant } = yield* storage.write(unit)
          const payload = seal(keys.current(), {
            clientId,
            clientMode: draft.clientMode,
            capabilities: draft.capabilities,
            deviceId,
            ...grant,
            workspaceId,
            nonce,
            codeHash,
            timestamp: iso(at)
          })
          return {
            code,
            link: linkOf(host, payload, code),
            expiresAt: iso(at + pairingMs),
            deviceId,
            ...grant
          }
        }),
        exchange: Effect.fn("Devices.exchange")(function* ({ code, payload }, from) {
          yield* throttle.attempt("pairing", from.address)
          yield* throttle.attempt("pairing-code", payload.nonce)
          const at = yield* now
          const key = keys.find(payload.keyId, at)
          const codeHash = hashOfToken(code)
          const token = yield* newToken("device")
          const genuine = key !== undefined && isSealed(key, payload) && codeHash === payload.codeHash
          const unit = genuine ? pair(payload, codeHash, hashOfToken(token), at) : new PairingRefused()
          const session = yield* Effect.tapError(principals.change(unit), () =>
            storage.write(refused(payload.deviceId, at))
          )
          yield* throttle.succeeded("pairing", from.address)
          yield* throttle.succeeded("pairing-code", payload.nonce)
          const { capabilities, deviceId, expiresAt, role, scopes, workspaceId } = session
          return {
            token,
            deviceSessionId: session.id,
            deviceId,
            workspaceId,
            role,
            scopes,
            capabilities,
            expiresAt
          }
        }),
        test: (workspaceId, id) => storage.read(testSession(workspaceId, id)),
        revoke: (workspaceId, id, by) => principals.change(revokeSession(workspaceId, id, by))
      })
    })
  )
}

/** A code that people can read to each other: twelve letters and digits that do not look alike, 60 random bits. */
const newCode = (): string => {
  const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
  const letters = [...randomBytes(12)].map((byte) => alphabet[byte & 31]).join("")
  return `${letters.slice(0, 4)}-${letters.slice(4, 8)}-${letters.slice(8)}`
}

/** Uses a pairing up and opens its device session, in one unit: of two at once, one is paired. */
const pair = (
  payload: Exchange["payload"],
  codeHash: string,
  tokenHash: string,
  at: number
): Effect.Effect<DeviceSession, PairingRefused, Sql> =>
  Effect.gen(function* () {
    const pairing = yield* DeviceRepo.takePairing(payload.nonce, codeHash, at)
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
    yield* record("device.paired", session, anonymous)
    return session
  })

/** A pairing that failed stands in the audit chain, without the code and without what the payload claims. */
const refused = (deviceId: string, at: number): Effect.Effect<void, never, Sql> =>
  Audit.append(
    {
      kind: "device.pairing.failed",
      resource: "device",
      resourceId: /^device_[0-9a-z]{16}$/.test(deviceId) ? deviceId : "unknown",
      by: anonymous,
      payload: {}
    },
    at
  )

const requireSession = (workspaceId: string, id: string) =>
  Effect.gen(function* () {
    yield* requireWorkspace(workspaceId)
    const found = yield* DeviceRepo.find(workspaceId, id, yield* now)
    return found ?? (yield* new DeviceSessionNotFound({ deviceSessionId: id }))
  })

const testSession = (workspaceId: string, id: string) =>
  Effect.gen(function* () {
    const session = yield* requireSession(workspaceId, id)
    const member = yield* MemberRepo.findMember(workspaceId, { id: session.membershipId })
    const about = { deviceSessionId: id, deviceId: session.deviceId }
    if (session.status !== "active" || member === undefined) {
      const status = session.status === "active" ? ("member-removed" as const) : session.status
      return { valid: false, status, ...about, role: null, permissions: [] }
    }
    const { permissions, ...rights } = effective(session, member.role)
    return { valid: true, status: session.status, ...about, ...rights, permissions: [...permissions] }
  })

const revokeSession = (workspaceId: string, id: string, by: ActorContext) =>
  Effect.gen(function* () {
    const session = yield* requireSession(workspaceId, id)
    if (session.revokedAt !== null) return session
    const at = yield* now
    yield* DeviceRepo.revoke(id, at)
    yield* record("device.revoked", session, by)
    return { ...session, status: "revoked" as const, revokedAt: iso(at) }
  })

const record = (kind: string, session: DeviceSession, by: ActorContext) =>
  Journal.record({
    kind,
    resource: "device",
    resourceId: session.deviceId,
    by,
    payload: { deviceSessionId: session.id, membershipId: session.membershipId, role: session.role }
  })
