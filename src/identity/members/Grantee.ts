import { Effect } from "effect"
import { type ActorContext, personOf } from "../../kernel/Actor.ts"
import type { Sql } from "../../storage/Sql.ts"
import { MemberNotFound, type WorkspaceNotFound } from "./Errors.ts"
import { type Member, ownerId } from "./Member.ts"
import * as MemberRepo from "./MemberRepo.ts"
import { requireWorkspace } from "./Members.ts"

/**
 * The member for whom a token or a device is made: the one that the body names, else the person who makes it (ruling
 * 17). A key of the environment is no person, and belongs to the operator: what it makes stands on the owner's present
 * membership or, while the owner is no admin, on that of the admin who has been here longest.
 */
export const granteeOf = (
  workspaceId: string,
  membershipId: string | undefined,
  by: ActorContext
): Effect.Effect<Member, WorkspaceNotFound | MemberNotFound, Sql> =>
  Effect.gen(function* () {
    yield* requireWorkspace(workspaceId)
    const person = personOf(by)
    const found =
      membershipId !== undefined
        ? yield* MemberRepo.findMember(workspaceId, { id: membershipId })
        : person !== undefined
          ? yield* MemberRepo.findMember(workspaceId, { userId: person })
          : yield* operatorOf(workspaceId)
    return found ?? (yield* new MemberNotFound({ memberId: membershipId ?? person ?? ownerId }))
  })

/** The member who stands for the operator. */
const operatorOf = (workspaceId: string): Effect.Effect<Member | undefined, never, Sql> =>
  Effect.flatMap(MemberRepo.findMember(workspaceId, { userId: ownerId }), (owner) =>
    owner?.role === "admin" ? Effect.succeed(owner) : MemberRepo.oldestAdmin(workspaceId)
  )
