import { Schema } from "effect"
import { Role } from "../../kernel/Permission.ts"
import { Event } from "../../storage/events/Event.ts"

const invitation = { workspaceId: Schema.String, role: Role }

export class InvitationCreated extends Event("invitation.created", "invitation", invitation) {}

export class InvitationRevoked extends Event("invitation.revoked", "invitation", invitation) {}
