import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import { Effect } from "effect"
import { asActor } from "../../kernel/Actor.ts"
import { respondPage } from "../../kernel/Paging.ts"
import { CeremoniesApi } from "./Api.ts"
import { Ceremonies } from "./Ceremonies.ts"

export const CeremoniesHttp = HttpApiBuilder.group(
  HttpApi.make("muster").add(CeremoniesApi),
  "ceremonies",
  (handlers) =>
    Effect.map(Ceremonies, (ceremonies) =>
      handlers
        .handle("list", ({ urlParams }) => Effect.map(ceremonies.list(urlParams), respondPage))
        .handle("create", ({ payload }) => asActor((by) => ceremonies.create(payload, by)))
        .handle("get", ({ path }) => ceremonies.get(path.id))
        .handle("complete", ({ path, payload }) => asActor((by) => ceremonies.complete(path.id, payload, by)))
    )
)
