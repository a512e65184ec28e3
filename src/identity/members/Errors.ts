import { Schema } from "effect"

/** No workspace has this id. */
export class WorkspaceNotFound extends Schema.TaggedError<WorkspaceNotFound>()("WorkspaceNotFound", {
  workspaceId: Schema.String
}) {}

/** No member of the workspace has this id. */
export class MemberNotFound extends Schema.TaggedError<MemberNotFound>()("MemberNotFound", {
  memberId: Schema.String
}) {}

/** The caller does not belong to the workspace. */
export class NotAMember extends Schema.TaggedError<NotAMember>()("NotAMember", {
  workspaceId: Schema.String
}) {}

/** A workspace always has an admin. */
export class LastAdmin extends Schema.TaggedError<LastAdmin>()("LastAdmin", {
  memberId: Schema.String
}) {}
