import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import { Authorization, Requires } from "../../kernel/Authorization.ts"
import * as Revision from "../../kernel/Revision.ts"
import { AgentProfile, AgentProfileIdParam, AgentProfilePatch } from "./AgentProfile.ts"
import * as Wire from "./Wire.ts"

const ProfilePath = Schema.Struct({ id: AgentProfileIdParam })

export const AgentProfilesApi = HttpApiGroup.make("agentProfiles")
  .add(
    HttpApiEndpoint.get("list", "/config/agent-profiles")
      .addSuccess(Schema.Array(AgentProfile))
      .annotate(Requires, "settings:read")
      .annotate(
        OpenApi.Description,
        "All profiles, by name. There are at most 500. Profiles come from relays for now: persona definitions that somebody imported. No run uses them yet."
      )
  )
  .add(
    HttpApiEndpoint.get("get", "/config/agent-profiles/:id")
      .setPath(ProfilePath)
      .addSuccess(AgentProfile)
      .addError(Wire.AgentProfileNotFound)
      .annotate(Requires, "settings:read")
      .annotate(OpenApi.Description, "One profile, with its revision in `ETag` and `X-Resource-Revision`.")
  )
  .add(
    HttpApiEndpoint.patch("patch", "/config/agent-profiles/:id")
      .setPath(ProfilePath)
      .setHeaders(Revision.Headers)
      .setPayload(AgentProfilePatch)
      .addSuccess(AgentProfile)
      .addError(Wire.AgentProfileNotFound)
      .addError(Revision.RevisionConflictWire)
      .annotate(Requires, "settings:write")
      .annotate(
        OpenApi.Description,
        "Changes what the body names. Imports make profiles disabled: this is how one is enabled. Of an imported profile `name` and `prompt` belong to its source, so a refresh replaces them again, and leaves `enabled` as it is. An empty body changes nothing."
      )
  )
  .add(
    HttpApiEndpoint.del("remove", "/config/agent-profiles/:id")
      .setPath(ProfilePath)
      .setHeaders(Revision.Headers)
      .addSuccess(HttpApiSchema.NoContent)
      .addError(Wire.AgentProfileNotFound)
      .addError(Revision.RevisionConflictWire)
      .annotate(Requires, "settings:write")
      .annotate(
        OpenApi.Description,
        "Deletes a profile and its link to a definition; the definition at the relay is not touched and may be imported again. Rosters lose the member."
      )
  )
  .middleware(Authorization)
  .prefix("/api")
  .annotate(OpenApi.Title, "Agent profiles")
