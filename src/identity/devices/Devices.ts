import { Context, Effect, Layer } from "effect"
import { type ActorContext, anonymous } from "../../kernel/Actor.ts"
import { newId } from "../../kernel/Ids.ts"
import { defaultLimit } from "../../kernel/Paging.ts"
import { iso, now } from "../../kernel/Time.ts"
import { hashOfToken, newToken } from "../../kernel/Token.ts"
import type { TooManyAttempts } from "../../kernel/TooManyAttempts.ts"
import * as Journal from "../../storage/events/Journal.ts"
import { Storage } from "../../storage/Storage.ts"
import { SigningKeys } from "../keys/SigningKeys.ts"
import type { MemberNotFound, WorkspaceNotFound } from "../members/Errors.ts"
import * as Memberships from "../members/Units.ts"
import type { Sender } from "../principals/Credentials.ts"
import type { GrantTooWide } from "../principals/GrantLimit.ts"
import { Principals } from "../principals/Principals.ts"
import { effective } from "../principals/Scopes.ts"
import { placeOf, Throttle } from "../principals/Throttle.ts"
import {
  type DeviceSession,
  type DeviceTest,
  type Exchange,
  type Paired,
  type PairingCode,
  type PairingDraft,
  pairingMs
} from "./Device.ts"
import * as DeviceRepo from "./DeviceRepo.ts"
import { type DeviceLimit, DeviceSessionNotFound, PairingRefused } from "./Errors.ts"
import { DeviceRevoked } from "./Events.ts"
import * as Pairing from "./Pairing.ts"
import { isSealed, linkOf, seal } from "./Seal.ts"

/**
 * The devices of the members: desktops, phones, installed web pages. Whoever goes away while a pairing is judged does
 * not stop it: an attempt that failed is counted and audited.
 */
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
  ) => Effect.Effect<PairingCode, WorkspaceNotFound | MemberNotFound | GrantTooWide | DeviceLimit>
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

      /** Whether this server signed what is shown, and the code is the one that it was signed for. */
      const isGenuine = (
        redemption: Pairing.Redemption | undefined,
        at: number
      ): redemption is Pairing.Redemption => {
        if (redemption === undefined) return false
        const { code, payload } = redemption
        const key = keys.find(payload.keyId, at)
        return key !== undefined && isSealed(key, payload) && hashOfToken(code) === payload.codeHash
      }

      return Devices.of({
        list: (workspaceId, limit = defaultLimit) =>
          storage.read(
            Effect.zipRight(
              Memberships.requireWorkspace(workspaceId),
              Effect.flatMap(now, (at) => DeviceRepo.list(workspaceId, at, limit))
            )
          ),
        createPairing: Effect.fn("Devices.createPairing")(function* (workspaceId, draft, { host }, by) {
          const code = yield* Pairing.newCode
          const codeHash = hashOfToken(code)
          const [nonce, deviceId, clientId] = [
            yield* newId("nonce"),
            yield* newId("device"),
            yield* newId("client")
          ]
          const offer = { nonce, codeHash, deviceId, draft }
          const { at, grant } = yield* storage.write(Pairing.offer(workspaceId, offer, by))
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
        exchange: Effect.fn("Devices.exchange")(function* (exchange, from) {
          const place = placeOf(from.address, anonymous)
          yield* throttle.attempt("pairing", place)
          const redemption = Pairing.redemptionOf(exchange)
          if (redemption !== undefined) yield* throttle.attempt("pairing-code", redemption.payload.nonce)
          const at = yield* now
          const token = yield* newToken("device")
          const unit = isGenuine(redemption, at)
            ? Pairing.pair(redemption.payload, hashOfToken(token), at)
            : new PairingRefused()
          const session = yield* Effect.tapError(principals.change(unit), () =>
            storage.write(Pairing.refused(redemption, from.address))
          )
          yield* throttle.succeeded("pairing", place)
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
        }, Effect.uninterruptible),
        test: (workspaceId, id) => storage.read(testSession(workspaceId, id)),
        revoke: Effect.fn("Devices.revoke")((workspaceId, id, by) =>
          principals.change(revokeSession(workspaceId, id, by))
        )
      })
    })
  )
}

const requireSession = (workspaceId: string, id: string) =>
  Effect.gen(function* () {
    yield* Memberships.requireWorkspace(workspaceId)
    const found = yield* DeviceRepo.find(workspaceId, id, yield* now)
    return found ?? (yield* new DeviceSessionNotFound({ deviceSessionId: id }))
  })

const testSession = (workspaceId: string, id: string) =>
  Effect.gen(function* () {
    const session = yield* requireSession(workspaceId, id)
    const member = yield* Memberships.findMember(workspaceId, { id: session.membershipId })
    const about = { deviceSessionId: id, deviceId: session.deviceId }
    if (session.status !== "active" || member === undefined) {
      const status = session.status === "active" ? ("member-removed" as const) : session.status
      return { valid: false, status, ...about, role: null, permissions: [] }
    }
    const { permissions, ...rights } = effective(session, member.role, workspaceId)
    return { valid: true, status: session.status, ...about, ...rights, permissions: [...permissions] }
  })

const revokeSession = (workspaceId: string, id: string, by: ActorContext) =>
  Effect.gen(function* () {
    const session = yield* requireSession(workspaceId, id)
    if (session.revokedAt !== null) return session
    const at = yield* now
    yield* DeviceRepo.revoke(id, at)
    yield* Journal.record(new DeviceRevoked(Pairing.aboutSession(session)), by)
    return { ...session, status: "revoked" as const, revokedAt: iso(at) }
  })
