import { Effect } from "effect"
import type { ActorContext } from "../../kernel/Actor.ts"
import type { Sql } from "../../storage/Sql.ts"
import { MemberNotFound, type WorkspaceNotFound } from "./Errors.ts"
import type { Member } from "./Member.ts"
import * as MemberRepo from "./MemberRepo.ts"
import { requireWorkspace } from "./Members.ts"

/** The membership that stands behind what keys of the environment make: that of the owner of the board. */
const ownerMembership = "member_owner"

/**
 * The member for whom a token or a device is made: the one that the body names, else the admin who makes it (ruling 17).
 * A key of the environment is no person, so what it makes stands on the owner's membership.
 */
export const granteeOf = (
  workspaceId: string,
  membershipId: string | undefined,
  by: ActorContext
): Effect.Effect<Member, WorkspaceNotFound | MemberNotFound, Sql> =>
  Effect.gen(function* () {
    yield* requireWorkspace(workspaceId)
    const named =
      membershipId === undefined
        ? yield* MemberRepo.findMember(workspaceId, { userId: by.userId })
        : yield* MemberRepo.findMember(workspaceId, { id: membershipId })
    if (named !== undefined) return named
    const fallback =
      membershipId === undefined
        ? yield* MemberRepo.findMember(workspaceId, { id: ownerMembership })
        : undefined
    return fallback ?? (yield* new MemberNotFound({ memberId: membershipId ?? ownerMembership }))
  })
