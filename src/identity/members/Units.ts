import { Effect, Option, Schema } from "effect"
import { Role } from "../../kernel/Permission.ts"
import type { RevocationEffects } from "../revocations/Application.ts"
import * as MemberRepo from "./MemberRepo.ts"

export { granteeOf } from "./Grantee.ts"
export {
  findMember,
  insertMember,
  insertUser,
  membershipsOf,
  user as findUser,
  userByEmail as findUserByEmail
} from "./MemberRepo.ts"
export { aboutMember, requireWorkspace } from "./Members.ts"

const asRole = Schema.decodeUnknownOption(Role)

/** A membership that ended opens nothing, and a role that was lowered is no higher, on a board that does not know of it. */
export const revocationEffects = {
  member: ({ at, subject }) => MemberRepo.endMember(subject, at),
  "member-role": ({ at, subject, value }) =>
    Option.match(asRole(value), {
      onNone: () => Effect.void,
      onSome: (role) => MemberRepo.lowerRole(subject, role, at)
    })
} satisfies Partial<RevocationEffects>
