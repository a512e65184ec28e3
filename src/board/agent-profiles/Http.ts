import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import { Effect } from "effect"
import { asActor } from "../../kernel/Actor.ts"
import { type Headers, precondition, respond } from "../../kernel/Revision.ts"
import type { AgentProfile } from "./AgentProfile.ts"
import { AgentProfiles } from "./AgentProfiles.ts"
import { AgentProfilesApi } from "./Api.ts"

const respondProfile = (profile: AgentProfile) =>
  respond("agent-profile", {
    id: profile.id,
    revision: profile.revision,
    json: JSON.stringify(profile)
  })

const profilePrecondition = (headers: typeof Headers.Type) => precondition("agent-profile", headers)

export const AgentProfilesHttp = HttpApiBuilder.group(
  HttpApi.make("muster").add(AgentProfilesApi),
  "agentProfiles",
  (handlers) =>
    Effect.map(AgentProfiles, (profiles) =>
      handlers
        .handle("list", () => profiles.list)
        .handle("get", ({ path }) => Effect.map(profiles.get(path.id), respondProfile))
        .handle("patch", ({ headers, path, payload }) =>
          asActor((by) =>
            Effect.map(profiles.patch(path.id, payload, profilePrecondition(headers), by), respondProfile)
          )
        )
        .handle("remove", ({ headers, path }) =>
          asActor((by) => profiles.remove(path.id, profilePrecondition(headers), by))
        )
    )
)
