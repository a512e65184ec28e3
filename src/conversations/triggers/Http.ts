import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import { Effect } from "effect"
import { asActor } from "../../kernel/Actor.ts"
import { RelayTriggersApi } from "./Api.ts"
import { Triggers } from "./Triggers.ts"

export const RelayTriggersHttp = HttpApiBuilder.group(
  HttpApi.make("muster").add(RelayTriggersApi),
  "relayTriggers",
  (handlers) =>
    Effect.map(Triggers, (triggers) =>
      handlers
        .handle("list", ({ path }) => triggers.list(path.adapterId))
        .handle("create", ({ path, payload }) =>
          asActor((by) => triggers.create(path.adapterId, payload, by))
        )
        .handle("disable", ({ path }) => asActor((by) => triggers.disable(path.adapterId, path.ruleId, by)))
        .handle("audits", ({ path, urlParams }) => triggers.audits(path.adapterId, urlParams.limit))
    )
)
