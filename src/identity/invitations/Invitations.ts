import { Context, Effect, Layer } from "effect"
import { type ActorContext, anonymous, personOf } from "../../kernel/Actor.ts"
import { newId } from "../../kernel/Ids.ts"
import { defaultLimit } from "../../kernel/Paging.ts"
import { iso, now } from "../../kernel/Time.ts"
import { hashOfToken, newToken } from "../../kernel/Token.ts"
import type { TooManyAttempts } from "../../kernel/TooManyAttempts.ts"
import * as Journal from "../../storage/events/Journal.ts"
import type { Sql } from "../../storage/Sql.ts"
import { Storage } from "../../storage/Storage.ts"
import type { WorkspaceNotFound } from "../members/Errors.ts"
import { MemberJoined } from "../members/Events.ts"
import type { User } from "../members/Member.ts"
import * as Memberships from "../members/Units.ts"
import type { Sender } from "../principals/Credentials.ts"
import { type GrantTooWide, requireRoleWithin } from "../principals/GrantLimit.ts"
import { Principals } from "../principals/Principals.ts"
import { placeOf, Throttle } from "../principals/Throttle.ts"
import {
  AlreadyMember,
  InvitationLimit,
  InvitationNotFound,
  InvitationOver,
  InvitedOther,
  NobodyInPerson
} from "./Errors.ts"
import { InvitationCreated, InvitationRevoked } from "./Events.ts"
import {
  type Accepted,
  type Invitation,
  type InvitationDraft,
  invitationMs,
  type NewcomerAcceptance
} from "./Invitation.ts"
import * as InvitationRepo from "./InvitationRepo.ts"

/** How many invitations of a workspace may be open at once. */
const openLimit = 1_000

/** Why an acceptance is refused. */
export type AcceptRefused = InvitationNotFound | InvitationOver | InvitedOther | AlreadyMember

/** How people come to belong to a workspace. */
export interface InvitationsService {
  readonly list: (
    workspaceId: string,
    limit?: number
  ) => Effect.Effect<ReadonlyArray<Invitation>, WorkspaceNotFound>
  /** Invites an address; the token is in the answer and nowhere else. */
  readonly create: (
    workspaceId: string,
    draft: InvitationDraft,
    by: ActorContext
  ) => Effect.Effect<
    Invitation & { readonly token: string },
    WorkspaceNotFound | GrantTooWide | InvitationLimit
  >
  readonly revoke: (
    id: string,
    by: ActorContext
  ) => Effect.Effect<Invitation, InvitationNotFound | InvitationOver>
  /** Accepts for the person that the caller is. */
  readonly accept: (
    token: string,
    by: ActorContext
  ) => Effect.Effect<Accepted, AcceptRefused | NobodyInPerson>
  /** Accepts for somebody who can't log in yet; the person is made when the address is new. */
  readonly acceptNew: (
    acceptance: NewcomerAcceptance,
    from: Sender
  ) => Effect.Effect<Accepted, AcceptRefused | TooManyAttempts>
}

export class Invitations extends Context.Tag("muster/Invitations")<Invitations, InvitationsService>() {
  static readonly layer = Layer.effect(
    Invitations,
    Effect.gen(function* () {
      const storage = yield* Storage
      const principals = yield* Principals
      const throttle = yield* Throttle
      return Invitations.of({
        list: (workspaceId, limit = defaultLimit) =>
          storage.read(
            Effect.zipRight(
              Memberships.requireWorkspace(workspaceId),
              Effect.flatMap(now, (at) => InvitationRepo.list(workspaceId, at, limit))
            )
          ),
        create: Effect.fn("Invitations.create")(function* (workspaceId, draft, by) {
          const token = yield* newToken("invite")
          const invitation = yield* storage.write(invite(workspaceId, draft, hashOfToken(token), by))
          return { ...invitation, token }
        }),
        revoke: Effect.fn("Invitations.revoke")((id, by) => principals.change(revoke(id, by))),
        accept: Effect.fn("Invitations.accept")((token, by) =>
          principals.change(
            Effect.gen(function* () {
              const person = personOf(by)
              const user = person === undefined ? undefined : yield* Memberships.findUser(person)
              if (user === undefined) return yield* new NobodyInPerson()
              return yield* join(token, user.email, () => Effect.succeed(user), by)
            })
          )
        ),
        acceptNew: Effect.fn("Invitations.acceptNew")(function* ({ displayName, email, token }, from) {
          const place = placeOf(from.address, anonymous)
          yield* throttle.attempt("invitation", place)
          const newcomer = (at: number) =>
            Effect.gen(function* () {
              const known = yield* Memberships.findUserByEmail(email)
              if (known !== undefined) return known
              const user: User = { id: yield* newId("user"), displayName, email }
              yield* Memberships.insertUser(user, at)
              return user
            })
          const accepted = yield* principals.change(join(token, email, newcomer, anonymous))
          yield* throttle.succeeded("invitation", place)
          return accepted
        })
      })
    })
  )
}

const invite = (
  workspaceId: string,
  { email, role }: InvitationDraft,
  tokenHash: string,
  by: ActorContext
): Effect.Effect<Invitation, WorkspaceNotFound | GrantTooWide | InvitationLimit, Sql> =>
  Effect.gen(function* () {
    yield* Memberships.requireWorkspace(workspaceId)
    yield* requireRoleWithin(role, by)
    const at = yield* now
    if ((yield* InvitationRepo.countOpen(workspaceId, at)) >= openLimit) {
      return yield* new InvitationLimit({ limit: openLimit })
    }
    const invitation: Invitation = {
      id: yield* newId("invite"),
      workspaceId,
      email,
      role,
      status: "pending",
      createdBy: by.name,
      createdAt: iso(at),
      expiresAt: iso(at + invitationMs)
    }
    yield* InvitationRepo.insert(invitation, tokenHash)
    yield* Journal.record(new InvitationCreated(about(invitation)), by)
    return invitation
  })

const revoke = (id: string, by: ActorContext) =>
  Effect.gen(function* () {
    const at = yield* now
    const invitation = yield* InvitationRepo.find({ id }, at)
    if (invitation === undefined) return yield* new InvitationNotFound()
    if (invitation.status !== "pending") return yield* new InvitationOver({ status: invitation.status })
    yield* InvitationRepo.end(id, "revoked", at)
    yield* Journal.record(new InvitationRevoked(about(invitation)), by)
    return { ...invitation, status: "revoked" as const }
  })

/** Makes the person behind an address a member, once for the invitation. */
const join = (
  token: string,
  email: string | null,
  person: (at: number) => Effect.Effect<User, never, Sql>,
  by: ActorContext
): Effect.Effect<Accepted, AcceptRefused, Sql> =>
  Effect.gen(function* () {
    const at = yield* now
    const invitation = yield* InvitationRepo.find({ tokenHash: hashOfToken(token) }, at)
    if (invitation === undefined) return yield* new InvitationNotFound()
    if (invitation.status !== "pending") return yield* new InvitationOver({ status: invitation.status })
    const { role, workspaceId } = invitation
    if (email?.toLowerCase() !== invitation.email.toLowerCase()) return yield* new InvitedOther()
    const user = yield* person(at)
    if ((yield* Memberships.findMember(workspaceId, { userId: user.id })) !== undefined) {
      return yield* new AlreadyMember({ workspaceId })
    }
    const id = yield* newId("member")
    yield* Memberships.insertMember({ id, workspaceId, userId: user.id, role }, at)
    yield* InvitationRepo.end(invitation.id, "accepted", at)
    const membership = {
      id,
      workspaceId,
      userId: user.id,
      displayName: user.displayName,
      email: user.email,
      role,
      createdAt: iso(at),
      updatedAt: iso(at)
    }
    yield* Journal.record(
      new MemberJoined({ ...Memberships.aboutMember(membership), invitationId: invitation.id }),
      by
    )
    return { user, membership }
  })

const about = ({ id, role, workspaceId }: Invitation) => ({ resourceId: id, workspaceId, role })
