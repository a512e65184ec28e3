import { Effect, Option, Schema } from "effect"
import { Role } from "../../kernel/Permission.ts"
import * as Revocation from "../../storage/revocations/Revocation.ts"
import type { Sql } from "../../storage/Sql.ts"
import * as DeviceRepo from "../devices/DeviceRepo.ts"
import * as InvitationRepo from "../invitations/InvitationRepo.ts"
import * as MemberRepo from "../members/MemberRepo.ts"
import * as OwnerRepo from "../passwords/OwnerRepo.ts"
import * as ApiTokenRepo from "../tokens/ApiTokenRepo.ts"

const asRole = Schema.decodeUnknownOption(Role)
const asOwner = Schema.decodeUnknownOption(
  Schema.parseJson(Schema.Struct({ passwordHash: Schema.String, recoveryHash: Schema.String }))
)

/** What a revocation does to a board that does not know of it. */
const effectOf = ({ at, kind, subject, value }: Revocation.Revocation): Effect.Effect<void, never, Sql> => {
  switch (kind) {
    case "api-token":
      return ApiTokenRepo.revoke(subject, at)
    case "device":
      return DeviceRepo.revoke(subject, at)
    case "pairing-code":
      return DeviceRepo.spendPairing(subject, at)
    case "invitation":
      return InvitationRepo.end(subject, value === "accepted" ? "accepted" : "revoked", at)
    case "session":
      return OwnerRepo.removeSession(subject)
    case "sessions":
      return OwnerRepo.endSessionsUntil(at, value ?? "")
    case "member":
      return MemberRepo.endMember(subject, at)
    case "member-role":
      return Option.match(asRole(value), {
        onNone: () => Effect.void,
        onSome: (role) => MemberRepo.lowerRole(subject, role, at)
      })
    case "owner":
      return Option.match(asOwner(value), { onNone: () => Effect.void, onSome: OwnerRepo.put })
  }
}

/**
 * Of the roles that a member had one after another the last one counts: who was lowered and raised again is not lowered
 * now.
 */
export const effective = (
  revocations: ReadonlyArray<Revocation.Revocation>
): ReadonlyArray<Revocation.Revocation> => {
  const lastRoles = new Map(
    revocations.flatMap(({ id, kind, subject }) => (kind === "member-role" ? [[subject, id]] : []))
  )
  return revocations.filter(
    ({ id, kind, subject }) => kind !== "member-role" || lastRoles.get(subject) === id
  )
}

/** Revokes on a board what it does not know of yet: all of them, in their order, and each once. */
export const apply = (revocations: ReadonlyArray<Revocation.Revocation>): Effect.Effect<void, never, Sql> =>
  Effect.zipRight(
    Effect.forEach(revocations, Revocation.insert, { discard: true }),
    Effect.forEach(effective(revocations), effectOf, { discard: true })
  )
