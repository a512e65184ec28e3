import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import { Authorization, Requires } from "../../kernel/Authorization.ts"
import { created } from "../../kernel/Created.ts"
import { IdParam } from "../../kernel/IdParam.ts"
import { Limit } from "../../kernel/Paging.ts"
import { forReaders } from "../../kernel/Requirement.ts"
import { TooManyAttemptsWire } from "../../kernel/TooManyAttempts.ts"
import * as MemberWire from "../members/Wire.ts"
import { GrantTooWideWire } from "../principals/GrantLimit.ts"
import {
  Acceptance,
  Accepted,
  Invitation,
  InvitationDraft,
  NewcomerAcceptance,
  NewInvitation
} from "./Invitation.ts"
import * as Wire from "./Wire.ts"

const WorkspacePath = Schema.Struct({ workspaceId: IdParam })

export const InvitationsApi = HttpApiGroup.make("invitations")
  .add(
    HttpApiEndpoint.get("list", "/identity/workspaces/:workspaceId/invitations")
      .setPath(WorkspacePath)
      .setUrlParams(Schema.Struct({ limit: Schema.optional(Limit) }))
      .addSuccess(Schema.Array(Invitation))
      .addError(MemberWire.WorkspaceNotFound)
      .annotate(Requires, "admin:manage")
      .annotate(
        OpenApi.Description,
        "The newest invitations of a workspace, whatever came of them, without tokens."
      )
  )
  .add(
    HttpApiEndpoint.post("create", "/identity/workspaces/:workspaceId/invitations")
      .setPath(WorkspacePath)
      .setPayload(InvitationDraft)
      .addSuccess(created(NewInvitation))
      .addError(MemberWire.WorkspaceNotFound)
      .addError(GrantTooWideWire)
      .addError(Wire.InvitationLimit)
      .annotate(Requires, "admin:manage")
      .annotate(
        OpenApi.Description,
        "Invites an address into a workspace. The token is in this answer and nowhere else: only its hash is stored, and nothing is mailed. It counts for seven days, once. A role with more than the caller holds is a 403."
      )
  )
  .add(
    HttpApiEndpoint.post("revoke", "/identity/invitations/:id/revoke")
      .setPath(Schema.Struct({ id: IdParam }))
      .addSuccess(Invitation)
      .addError(Wire.InvitationNotFound)
      .addError(Wire.InvitationOver)
      .annotate(Requires, "admin:manage")
      .annotate(OpenApi.Description, "Takes an open invitation back.")
  )
  .add(
    HttpApiEndpoint.post("accept", "/identity/invitations/accept")
      .setPayload(Acceptance)
      .addSuccess(Accepted)
      .addError(Wire.InvitationNotFound)
      .addError(Wire.InvitationOver)
      .addError(Wire.InvitedOther)
      .addError(Wire.AlreadyMember)
      .addError(Wire.NobodyInPerson)
      .annotate(Requires, forReaders("workspace:read"))
      .annotate(
        OpenApi.Description,
        "Accepts an invitation for the person that the caller is, whose address must be the invited one. A key of the environment is no person: that is a 409."
      )
  )
  .add(
    HttpApiEndpoint.post("acceptNew", "/auth/invitations/accept")
      .setPayload(NewcomerAcceptance)
      .addSuccess(created(Accepted))
      .addError(Wire.InvitationNotFound)
      .addError(Wire.InvitationOver)
      .addError(Wire.InvitedOther)
      .addError(Wire.AlreadyMember)
      .addError(TooManyAttemptsWire)
      .annotate(Requires, "public")
      .annotate(
        OpenApi.Description,
        "Accepts an invitation before any login: the person is made if the address is new. It opens no session; an admin pairs their device or makes them a token. Five attempts a minute, then 429 with `Retry-After`."
      )
  )
  .middleware(Authorization)
  .prefix("/api")
  .annotate(OpenApi.Title, "Invitations")
