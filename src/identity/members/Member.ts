import { Schema } from "effect"
import { lookedUp } from "../../kernel/Incoming.ts"
import { Permission, Role } from "../../kernel/Permission.ts"
import { everyIssue, nonBlank } from "../../kernel/Text.ts"
import { Timestamp } from "../../kernel/Time.ts"

/** The user who owns this board; the migration made them. */
export const ownerId = "owner"

/** A workspace. The board belongs to the one with the id `default`; memberships say who may come in. */
export const Workspace = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  role: Schema.NullOr(Role).annotations({ description: "The role that the caller has there" }),
  createdAt: Timestamp
}).annotations({ identifier: "Workspace" })
export type Workspace = typeof Workspace.Type

/** Somebody who belongs to a workspace. `id` is that of the membership. */
export const Member = Schema.Struct({
  id: Schema.String,
  workspaceId: Schema.String,
  userId: Schema.String,
  displayName: Schema.String,
  email: Schema.NullOr(Schema.String),
  role: Role,
  createdAt: Timestamp,
  updatedAt: Timestamp
}).annotations({ identifier: "Member" })
export type Member = typeof Member.Type

export const MemberPatch = Schema.Struct({ role: Role }).annotations({
  identifier: "MemberPatch",
  ...everyIssue
})

/** A person, whatever they belong to. */
export const User = Schema.Struct({
  id: Schema.String,
  displayName: Schema.String,
  email: Schema.NullOr(Schema.String)
}).annotations({ identifier: "User" })
export type User = typeof User.Type

/** Who the request speaks for, and where they belong. */
export const Profile = Schema.Struct({
  userId: Schema.String,
  name: Schema.String,
  email: Schema.NullOr(Schema.String),
  role: Role,
  actorType: Schema.Literal("user", "agent", "service"),
  authMethod: Schema.String,
  workspaceId: Schema.String,
  permissions: Schema.Array(Permission),
  memberships: Schema.Array(Member)
}).annotations({ identifier: "Profile" })
export type Profile = typeof Profile.Type

export const WorkspaceSwitch = Schema.Struct({ workspaceId: nonBlank(200, lookedUp) }).annotations({
  identifier: "WorkspaceSwitch",
  ...everyIssue
})
