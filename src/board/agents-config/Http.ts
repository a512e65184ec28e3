import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import { Effect } from "effect"
import { asActor } from "../../kernel/Actor.ts"
import { AgentsConfig } from "./AgentsConfig.ts"
import { ConfigApi } from "./Api.ts"

export const ConfigHttp = HttpApiBuilder.group(HttpApi.make("muster").add(ConfigApi), "config", (handlers) =>
  Effect.map(AgentsConfig, (config) =>
    handlers
      .handle("get", () => config.configuration)
      .handle("agents", () => config.agents)
      .handle("putAgents", ({ payload }) => asActor((by) => config.put(payload, by)))
      .handle("setDefaultAgent", ({ payload }) => asActor((by) => config.setDefault(payload, by)))
      .handle("agentSupport", () => asActor(config.support))
  )
)
