import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import { Effect } from "effect"
import { asActor } from "../../kernel/Actor.ts"
import { HostsApi } from "./Api.ts"
import { RuntimeManifests } from "./RuntimeManifests.ts"

export const HostsHttp = HttpApiBuilder.group(HttpApi.make("muster").add(HostsApi), "hosts", (handlers) =>
  Effect.map(RuntimeManifests, (manifests) =>
    handlers.handle("preview", ({ payload }) => asActor((by) => manifests.preview(payload, by)))
  )
)
