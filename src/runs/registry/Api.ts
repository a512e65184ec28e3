import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import { Authorization, Requires } from "../../kernel/Authorization.ts"
import { created } from "../../kernel/Created.ts"
import { Limit } from "../../kernel/Paging.ts"
import { anyOf, inRole } from "../../kernel/Requirement.ts"
import { Heartbeat, Registration, RegistrationDraft, RegistryIdParam } from "./Registration.ts"
import * as Wire from "./Wire.ts"

const EntryPath = Schema.Struct({ id: RegistryIdParam })

/** Whoever may write agents, and agents themselves: for each of those the service lets pass its own entry alone. */
const writes = anyOf("agent:write", inRole("agent", "comment:write"), inRole("agent", "task:write"))

const whose =
  "agent:write writes any entry; a key or a token of the role agent writes the one whose id is its own name, and every other is a 403, whether it exists or not."

export const RegistryApi = HttpApiGroup.make("registry")
  .add(
    HttpApiEndpoint.post("register", "/agents/register")
      .setPayload(RegistrationDraft)
      .addSuccess(created(Registration))
      .addError(Wire.EntryNotOwn)
      .addError(Wire.RegistryFull)
      .annotate(Requires, writes)
      .annotate(
        OpenApi.Description,
        `Registers an agent that works elsewhere, online. An id that is registered already is replaced as a whole, with the same 201. ${whose} The body is strict at every depth. The digest of \`providerRuntimeManifest\` is computed when it is absent or null, and a wrong one is a 400; a secret in the manifest is a 400 that names where it stands. An agent without a manifest gets one in which every capability is \`unknown\`. At most 500 agents are registered: beyond them a new one takes the place of the one that was not heard of for the longest, if that is a day or more, and is a 409 otherwise.`
      )
  )
  .add(
    HttpApiEndpoint.get("list", "/agents/register")
      .setUrlParams(Schema.Struct({ limit: Schema.optional(Limit) }))
      .addSuccess(Schema.Array(Registration))
      .annotate(Requires, "agent:read")
      .annotate(
        OpenApi.Description,
        "The agents that registered, the latest registration first; `X-Total-Count` says how many there are. An agent that was not heard of for SERVICE_AGENT_HEARTBEAT_TIMEOUT_SECONDS (300) reads as offline."
      )
  )
  .add(
    HttpApiEndpoint.get("get", "/agents/register/:id")
      .setPath(EntryPath)
      .addSuccess(Registration)
      .addError(Wire.RegistrationNotFound)
      .annotate(Requires, "agent:read")
      .annotate(OpenApi.Description, "One agent that registered.")
  )
  .add(
    HttpApiEndpoint.post("heartbeat", "/agents/register/:id/heartbeat")
      .setPath(EntryPath)
      .setPayload(Heartbeat)
      .addSuccess(Registration)
      .addError(Wire.EntryNotOwn)
      .addError(Wire.RegistrationNotFound)
      .annotate(Requires, writes)
      .annotate(
        OpenApi.Description,
        `Says that an agent lives and what it does; send one every two to three minutes. ${whose} What the body does not name stays, a manifest too; null clears the task and its title. Another task has no title until one is given, and an agent that is idle or offline works on nothing unless the body says so. Five minutes after the last heartbeat the manifest is no evidence until the next one. It renews the claim of the task that the agent works on, if the same credential made the claim. A change of status, task or manifest is an event; a heartbeat that says what is known is none.`
      )
  )
  .add(
    HttpApiEndpoint.del("deregister", "/agents/register/:id")
      .setPath(EntryPath)
      .addSuccess(HttpApiSchema.NoContent)
      .addError(Wire.EntryNotOwn)
      .addError(Wire.RegistrationNotFound)
      .annotate(Requires, writes)
      .annotate(OpenApi.Description, `Takes an agent out of the registry. ${whose}`)
  )
  .middleware(Authorization)
  .prefix("/api")
  .annotate(OpenApi.Title, "Agent registry")
