import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import { Authorization, Requires } from "../../kernel/Authorization.ts"
import { forReaders } from "../../kernel/Requirement.ts"
import { HostPreview, HostPreviewRequest } from "./HostPreview.ts"

export const HostsApi = HttpApiGroup.make("hosts")
  .add(
    HttpApiEndpoint.post("preview", "/agents/hosts/preview")
      .setPayload(HostPreviewRequest)
      .addSuccess(HostPreview)
      .annotate(Requires, forReaders("agent:read"))
      .annotate(
        OpenApi.Description,
        "Shows which agents have the capabilities that a run would require, and changes nothing. Ids match exactly: `supported` is enough, `advisory` too and says why, `unknown` and `unsupported` are not. Candidates are the configured agents, those that are switched off among them and never compatible, and the registered ones that were heard of within five minutes and are not offline. The selected manifest is that of the compatible candidate with the fewest reasons; of equals the first. Programs are asked for their version when the caller has agent:write or settings:write; anybody else sees what was found before."
      )
  )
  .middleware(Authorization)
  .prefix("/api")
  .annotate(OpenApi.Title, "Agent hosts")
