import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import { Effect } from "effect"
import { asActor } from "../../kernel/Actor.ts"
import { respondPage } from "../../kernel/Paging.ts"
import { AgentRegistry } from "./AgentRegistry.ts"
import { RegistryApi } from "./Api.ts"

export const RegistryHttp = HttpApiBuilder.group(
  HttpApi.make("muster").add(RegistryApi),
  "registry",
  (handlers) =>
    Effect.map(AgentRegistry, (registry) =>
      handlers
        .handle("register", ({ payload }) => asActor((by) => registry.register(payload, by)))
        .handle("list", ({ urlParams }) => Effect.map(registry.list(urlParams.limit), respondPage))
        .handle("get", ({ path }) => registry.get(path.id))
        .handle("heartbeat", ({ path, payload }) => asActor((by) => registry.heartbeat(path.id, payload, by)))
        .handle("deregister", ({ path }) => asActor((by) => registry.deregister(path.id, by)))
    )
)
