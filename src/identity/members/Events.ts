import { Schema } from "effect"
import { Role } from "../../kernel/Permission.ts"
import { Event } from "../../storage/events/Event.ts"

const membership = { workspaceId: Schema.String, userId: Schema.String, role: Role }

export class MemberJoined extends Event("member.joined", "member", {
  ...membership,
  invitationId: Schema.String
}) {}

export class MemberUpdated extends Event("member.updated", "member", membership) {}

export class MemberRemoved extends Event("member.removed", "member", membership) {}
