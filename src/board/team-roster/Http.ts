import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import { Effect } from "effect"
import { asActor } from "../../kernel/Actor.ts"
import { TeamRosterApi } from "./Api.ts"
import { TeamRosters } from "./TeamRosters.ts"

export const TeamRosterHttp = HttpApiBuilder.group(
  HttpApi.make("muster").add(TeamRosterApi),
  "teamRoster",
  (handlers) =>
    Effect.map(TeamRosters, (rosters) =>
      handlers
        .handle("get", () => rosters.manifest)
        .handle("removeImported", ({ path }) => asActor((by) => rosters.remove(path.rosterId, by)))
    )
)
