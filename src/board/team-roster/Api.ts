import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import { Authorization, Requires } from "../../kernel/Authorization.ts"
import { RosterIdParam, TeamRosterManifest } from "./TeamRoster.ts"
import * as Wire from "./Wire.ts"

export const TeamRosterApi = HttpApiGroup.make("teamRoster")
  .add(
    HttpApiEndpoint.get("get", "/config/team-roster")
      .addSuccess(TeamRosterManifest)
      .annotate(Requires, "settings:read")
      .annotate(
        OpenApi.Description,
        "The roster, and under `rosters` the teams that were imported from relays. Nothing is routed by a roster yet: it has no coordinator and no rules, and it and all its members are disabled. A member whose profile was deleted is among the `unresolved` of its team."
      )
  )
  .add(
    HttpApiEndpoint.del("removeImported", "/config/team-roster/rosters/:rosterId")
      .setPath(Schema.Struct({ rosterId: RosterIdParam }))
      .addSuccess(HttpApiSchema.NoContent)
      .addError(Wire.RosterNotFound)
      .annotate(Requires, "settings:write")
      .annotate(
        OpenApi.Description,
        "Deletes an imported team and its link to a definition. The profiles of its members stay; the definition at the relay is not touched and may be imported again."
      )
  )
  .middleware(Authorization)
  .prefix("/api")
  .annotate(OpenApi.Title, "Team roster")
