import { Context, Effect, Layer } from "effect"
import { type ActorContext, personOf } from "../../kernel/Actor.ts"
import type { Role } from "../../kernel/Permission.ts"
import { iso, now } from "../../kernel/Time.ts"
import * as Journal from "../../storage/events/Journal.ts"
import type { Sql } from "../../storage/Sql.ts"
import { Storage } from "../../storage/Storage.ts"
import { type GrantTooWide, requireRoleWithin } from "../principals/GrantLimit.ts"
import { Principals } from "../principals/Principals.ts"
import { LastAdmin, MemberNotFound, NotAMember, WorkspaceNotFound } from "./Errors.ts"
import { MemberRemoved, MemberUpdated } from "./Events.ts"
import type { Member, Profile, Workspace } from "./Member.ts"
import * as MemberRepo from "./MemberRepo.ts"

/** Who belongs where, and as what. */
export interface MembersService {
  readonly profile: (by: ActorContext) => Effect.Effect<Profile>
  readonly workspaces: (by: ActorContext) => Effect.Effect<ReadonlyArray<Workspace>>
  /** Chooses a workspace, and gives the caller's profile in it. */
  readonly switch: (
    workspaceId: string,
    by: ActorContext
  ) => Effect.Effect<Profile, WorkspaceNotFound | NotAMember>
  /** Who belongs to a workspace, for those who belong to it. For others it does not exist. */
  readonly list: (
    workspaceId: string,
    by: ActorContext
  ) => Effect.Effect<ReadonlyArray<Member>, WorkspaceNotFound>
  readonly setRole: (
    workspaceId: string,
    id: string,
    role: Role,
    by: ActorContext
  ) => Effect.Effect<Member, WorkspaceNotFound | MemberNotFound | GrantTooWide | LastAdmin>
  readonly remove: (
    workspaceId: string,
    id: string,
    by: ActorContext
  ) => Effect.Effect<void, WorkspaceNotFound | MemberNotFound | LastAdmin>
}

export class Members extends Context.Tag("muster/Members")<Members, MembersService>() {
  static readonly layer = Layer.effect(
    Members,
    Effect.gen(function* () {
      const storage = yield* Storage
      const principals = yield* Principals
      return Members.of({
        profile: (by) => storage.read(profileOf(by)),
        workspaces: (by) =>
          storage.read(
            Effect.flatMap(MemberRepo.workspaces, (all) =>
              Effect.forEach(all, ({ createdAt, ...workspace }) =>
                Effect.map(roleIn(workspace.id, by), (role) => ({
                  ...workspace,
                  role: role ?? null,
                  createdAt: iso(createdAt)
                }))
              )
            )
          ),
        switch: Effect.fn("Members.switch")((workspaceId, by) =>
          storage.read(
            Effect.gen(function* () {
              yield* requireWorkspace(workspaceId)
              const role = yield* roleIn(workspaceId, by)
              if (role === undefined) return yield* new NotAMember({ workspaceId })
              return { ...(yield* profileOf(by)), workspaceId }
            })
          )
        ),
        list: Effect.fn("Members.list")((workspaceId, by) =>
          storage.read(
            Effect.gen(function* () {
              yield* requireWorkspace(workspaceId)
              const belongs = personOf(by) === undefined || (yield* roleIn(workspaceId, by)) !== undefined
              if (!belongs) return yield* new WorkspaceNotFound({ workspaceId })
              return yield* MemberRepo.members(workspaceId)
            })
          )
        ),
        setRole: Effect.fn("Members.setRole")((workspaceId, id, role, by) =>
          principals.change(setRole(workspaceId, id, role, by))
        ),
        remove: Effect.fn("Members.remove")((workspaceId, id, by) =>
          principals.change(removeMember(workspaceId, id, by))
        )
      })
    })
  )
}

/** The workspace with an id; for what belongs to one. */
export const requireWorkspace = (id: string): Effect.Effect<void, WorkspaceNotFound, Sql> =>
  Effect.flatMap(MemberRepo.workspace(id), (found) =>
    found === undefined ? new WorkspaceNotFound({ workspaceId: id }) : Effect.void
  )

const requireMember = (workspaceId: string, id: string) =>
  Effect.filterOrFail(
    Effect.zipRight(requireWorkspace(workspaceId), MemberRepo.findMember(workspaceId, { id })),
    (found) => found !== undefined,
    () => new MemberNotFound({ memberId: id })
  )

/** The role of a caller in a workspace: of its membership, or of its key, which belongs to the default workspace. */
const roleIn = (workspaceId: string, by: ActorContext): Effect.Effect<Role | undefined, never, Sql> => {
  const person = personOf(by)
  return person === undefined
    ? Effect.succeed(workspaceId === by.workspaceId ? by.role : undefined)
    : Effect.map(MemberRepo.findMember(workspaceId, { userId: person }), (member) => member?.role)
}

const profileOf = (by: ActorContext): Effect.Effect<Profile, never, Sql> =>
  Effect.gen(function* () {
    const person = personOf(by)
    const user = person === undefined ? undefined : yield* MemberRepo.user(person)
    return {
      userId: by.userId,
      name: user?.displayName ?? by.name,
      email: user?.email ?? null,
      role: by.role,
      actorType: by.actorType,
      authMethod: by.authMethod,
      workspaceId: by.workspaceId,
      permissions: [...by.permissions],
      memberships: person === undefined ? [] : yield* MemberRepo.membershipsOf(person)
    }
  })

const setRole = (workspaceId: string, id: string, role: Role, by: ActorContext) =>
  Effect.gen(function* () {
    const member = yield* requireMember(workspaceId, id)
    yield* requireRoleWithin(role, by, member.role)
    if (role !== "admin") yield* requireOtherAdmin(member)
    const at = yield* now
    yield* MemberRepo.setRole(id, role, at)
    yield* Journal.record(new MemberUpdated(aboutMember({ ...member, role })), by)
    return { ...member, role, updatedAt: iso(at) }
  })

const removeMember = (workspaceId: string, id: string, by: ActorContext) =>
  Effect.gen(function* () {
    const member = yield* requireMember(workspaceId, id)
    yield* requireOtherAdmin(member)
    yield* MemberRepo.endMember(id, yield* now)
    yield* Journal.record(new MemberRemoved(aboutMember(member)), by)
  })

const requireOtherAdmin = ({ id, role, workspaceId }: Member): Effect.Effect<void, LastAdmin, Sql> =>
  role !== "admin"
    ? Effect.void
    : Effect.flatMap(MemberRepo.hasOtherAdmin(workspaceId, id), (other) =>
        other ? Effect.void : new LastAdmin({ memberId: id })
      )

/** What every event of a membership says. */
export const aboutMember = ({
  id,
  role,
  userId,
  workspaceId
}: Pick<Member, "id" | "role" | "userId" | "workspaceId">) => ({ resourceId: id, workspaceId, userId, role })
