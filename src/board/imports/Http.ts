import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import { Effect } from "effect"
import { asActor } from "../../kernel/Actor.ts"
import { ImportsApi } from "./Api.ts"
import { Imports } from "./Imports.ts"

export const ImportsHttp = HttpApiBuilder.group(
  HttpApi.make("muster").add(ImportsApi),
  "imports",
  (handlers) =>
    Effect.map(Imports, (imports) =>
      handlers
        .handle("importTasks", ({ payload }) => asActor((by) => imports.run(payload, by)))
        .handle("repairIds", () => asActor(imports.repairIds))
    )
)
