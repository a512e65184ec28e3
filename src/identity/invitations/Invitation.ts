import { Schema } from "effect"
import { aSecret } from "../../kernel/Incoming.ts"
import { Role } from "../../kernel/Permission.ts"
import { everyIssue, nonBlank } from "../../kernel/Text.ts"
import { Timestamp } from "../../kernel/Time.ts"
import { Email } from "../members/Email.ts"
import { Member, User } from "../members/Member.ts"

/** An invitation, without its token. */
export const Invitation = Schema.Struct({
  id: Schema.String,
  workspaceId: Schema.String,
  email: Schema.String,
  role: Role,
  status: Schema.Literal("pending", "accepted", "revoked", "expired"),
  createdBy: Schema.String,
  createdAt: Timestamp,
  expiresAt: Timestamp
}).annotations({ identifier: "Invitation" })
export type Invitation = typeof Invitation.Type

export const InvitationDraft = Schema.Struct({ email: Email, role: Role }).annotations({
  identifier: "InvitationDraft",
  ...everyIssue
})
export type InvitationDraft = typeof InvitationDraft.Type

/** An invitation as its maker sees it, once: with the token. */
export const NewInvitation = Schema.Struct({
  ...Invitation.fields,
  token: Schema.String.annotations({ description: "Shown here and never again" })
}).annotations({ identifier: "NewInvitation" })

const Token = nonBlank(200, aSecret)

export const Acceptance = Schema.Struct({ token: Token }).annotations({
  identifier: "Acceptance",
  ...everyIssue
})

/** An acceptance of somebody whom the board does not know yet. */
export const NewcomerAcceptance = Schema.Struct({
  token: Token,
  displayName: nonBlank(200),
  email: Email
}).annotations({ identifier: "NewcomerAcceptance", ...everyIssue })
export type NewcomerAcceptance = typeof NewcomerAcceptance.Type

/** What an acceptance made. */
export const Accepted = Schema.Struct({ user: User, membership: Member }).annotations({
  identifier: "Accepted"
})
export type Accepted = typeof Accepted.Type

/** How long an invitation counts, in milliseconds: seven days. */
export const invitationMs = 7 * 24 * 60 * 60 * 1_000
