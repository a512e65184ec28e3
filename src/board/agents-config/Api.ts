import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import { Authorization, Requires } from "../../kernel/Authorization.ts"
import { FieldsDeniedWire } from "../../kernel/FieldRights.ts"
import { Agents, Configuration, DefaultAgent } from "./AgentConfig.ts"
import { AgentSupport } from "./AgentSupport.ts"
import * as Wire from "./Wire.ts"

export const ConfigApi = HttpApiGroup.make("config")
  .add(
    HttpApiEndpoint.get("get", "/config")
      .addSuccess(Configuration)
      .annotate(Requires, "settings:read")
      .annotate(
        OpenApi.Description,
        "The configuration: the versions of the product and of the interface, the agents, and the default one (null when there is none). It names variables of the environment and never shows what they hold."
      )
  )
  .add(
    HttpApiEndpoint.get("agents", "/config/agents")
      .addSuccess(Agents)
      .annotate(Requires, "settings:read")
      .annotate(OpenApi.Description, "The agents that are configured, in their order.")
  )
  .add(
    HttpApiEndpoint.put("putAgents", "/config/agents")
      .setPayload(Agents)
      .addSuccess(Agents)
      .addError(Wire.AgentsInvalid)
      .addError(FieldsDeniedWire)
      .annotate(Requires, "settings:write")
      .annotate(
        OpenApi.Description,
        "Replaces all agents. Each has a type of its own; `command`, `acp` and `app-server` need a command, `gateway` takes none. A secret on a command line is refused: `passthroughEnv` names the variables that an agent gets, and those of the service itself (SERVICE_, RELAY_) are never handed on. What an agent runs takes admin:manage too: another `command`, `args` or `passthroughEnv` than its type has now is a 403 that names the field. A default agent that is not among the new ones is none any more."
      )
  )
  .add(
    HttpApiEndpoint.put("setDefaultAgent", "/config/default-agent")
      .setPayload(DefaultAgent)
      .addSuccess(DefaultAgent)
      .addError(Wire.AgentNotConfigured)
      .annotate(Requires, "settings:write")
      .annotate(
        OpenApi.Description,
        "Sets the agent that is taken when neither a request nor routing says which. It must be configured (404), and may be switched off."
      )
  )
  .add(
    HttpApiEndpoint.get("agentSupport", "/config/agent-support")
      .addSuccess(Schema.Array(AgentSupport))
      .annotate(Requires, "settings:read")
      .annotate(
        OpenApi.Description,
        "How far this machine supports each agent that is configured, and the well-known ones that are not: whether its program is on the PATH, whether its variables are set, and its version. Well-known programs are asked with `--version`, in an empty environment and for 5 seconds at the most, when the caller has settings:write or agent:write; anybody else sees what they said the last time that somebody had them asked, unless their file has changed since, and starts nothing. A version is believed for ten minutes; a program that failed, or said none, is asked again. Other programs are never run. No path and no value of a variable is shown. `manifestDigest` is that of the runtime manifest that a run would be bound to now: what the agent registered under its type while it works elsewhere, and else what its adapter guarantees and what its program said; null for an agent that nobody configured or registered."
      )
  )
  .middleware(Authorization)
  .prefix("/api")
  .annotate(OpenApi.Title, "Configuration")
