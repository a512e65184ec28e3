import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import { Authorization, Requires } from "../../kernel/Authorization.ts"
import { IdParam } from "../../kernel/IdParam.ts"
import { forReaders } from "../../kernel/Requirement.ts"
import { GrantTooWideWire } from "../principals/GrantLimit.ts"
import { Member, MemberPatch, Profile, Workspace, WorkspaceSwitch } from "./Member.ts"
import * as Wire from "./Wire.ts"

/** The path of what belongs to a workspace. */
const WorkspacePath = Schema.Struct({ workspaceId: IdParam })
const MemberPath = Schema.Struct({ workspaceId: IdParam, id: IdParam })

export const MembersApi = HttpApiGroup.make("members")
  .add(
    HttpApiEndpoint.get("profile", "/identity/profile")
      .addSuccess(Profile)
      .annotate(Requires, "workspace:read")
      .annotate(
        OpenApi.Description,
        "Who this request speaks for, what they may do, and where they belong. A key of the environment is no person: it has no memberships and acts in the default workspace."
      )
  )
  .add(
    HttpApiEndpoint.get("workspaces", "/identity/workspaces")
      .addSuccess(Schema.Array(Workspace))
      .annotate(Requires, "workspace:read")
      .annotate(
        OpenApi.Description,
        "The workspaces with the caller's role in each. The board belongs to `default`."
      )
  )
  .add(
    HttpApiEndpoint.post("switch", "/identity/workspaces/switch")
      .setPayload(WorkspaceSwitch)
      .addSuccess(Profile)
      .addError(Wire.WorkspaceNotFound)
      .addError(Wire.NotAMember)
      .annotate(Requires, forReaders("workspace:read"))
      .annotate(
        OpenApi.Description,
        "Chooses a workspace that the caller belongs to and answers with the profile there. Tasks are not divided by workspace in this version, so the choice is not stored."
      )
  )
  .add(
    HttpApiEndpoint.get("list", "/identity/workspaces/:workspaceId/members")
      .setPath(WorkspacePath)
      .addSuccess(Schema.Array(Member))
      .addError(Wire.WorkspaceNotFound)
      .annotate(Requires, "workspace:read")
      .annotate(
        OpenApi.Description,
        "Who belongs to a workspace now, the first 1,000 in the order of their coming."
      )
  )
  .add(
    HttpApiEndpoint.patch("update", "/identity/workspaces/:workspaceId/members/:id")
      .setPath(MemberPath)
      .setPayload(MemberPatch)
      .addSuccess(Member)
      .addError(Wire.WorkspaceNotFound)
      .addError(Wire.MemberNotFound)
      .addError(GrantTooWideWire)
      .addError(Wire.LastAdmin)
      .annotate(Requires, "admin:manage")
      .annotate(
        OpenApi.Description,
        "Gives a member another role, which counts from the next request of their tokens and devices on. The last admin stays admin. A role that adds more than the caller holds is a 403."
      )
  )
  .add(
    HttpApiEndpoint.del("remove", "/identity/workspaces/:workspaceId/members/:id")
      .setPath(MemberPath)
      .addSuccess(HttpApiSchema.NoContent)
      .addError(Wire.WorkspaceNotFound)
      .addError(Wire.MemberNotFound)
      .addError(Wire.LastAdmin)
      .annotate(Requires, "admin:manage")
      .annotate(
        OpenApi.Description,
        "Ends a membership with its tokens, devices and pairing codes, for good; open WebSockets are closed with 4401. The last admin can't be removed."
      )
  )
  .middleware(Authorization)
  .prefix("/api")
  .annotate(OpenApi.Title, "Members")
