import { Schema } from "effect"

/** No invitation has this id or token. */
export class InvitationNotFound extends Schema.TaggedError<InvitationNotFound>()("InvitationNotFound", {}) {}

/** The invitation was used, revoked, or has expired. */
export class InvitationOver extends Schema.TaggedError<InvitationOver>()("InvitationOver", {
  status: Schema.Literal("accepted", "revoked", "expired")
}) {}

/** The invitation is for another address. */
export class InvitedOther extends Schema.TaggedError<InvitedOther>()("InvitedOther", {}) {}

/** Whoever is invited already belongs to the workspace. */
export class AlreadyMember extends Schema.TaggedError<AlreadyMember>()("AlreadyMember", {
  workspaceId: Schema.String
}) {}

/** The credential belongs to no person: a key of the environment. */
export class NobodyInPerson extends Schema.TaggedError<NobodyInPerson>()("NobodyInPerson", {}) {}

/** The workspace has as many invitations open as it can. */
export class InvitationLimit extends Schema.TaggedError<InvitationLimit>()("InvitationLimit", {
  limit: Schema.Int
}) {}
