import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import { Effect } from "effect"
import { asActor } from "../../kernel/Actor.ts"
import { RelayDefinitionsApi } from "./Api.ts"
import { Definitions } from "./Definitions.ts"

export const RelayDefinitionsHttp = HttpApiBuilder.group(
  HttpApi.make("muster").add(RelayDefinitionsApi),
  "relayDefinitions",
  (handlers) =>
    Effect.map(Definitions, (definitions) =>
      handlers
        .handle("list", ({ path }) => definitions.list(path.adapterId))
        .handle("links", ({ path }) => definitions.links(path.adapterId))
        .handle("preview", ({ path, payload }) => definitions.preview(path.adapterId, payload))
        .handle("import", ({ path, payload }) =>
          asActor((by) => definitions.import(path.adapterId, payload, by))
        )
    )
)
