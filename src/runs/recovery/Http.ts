import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import { Effect } from "effect"
import { asActor } from "../../kernel/Actor.ts"
import { RecoveryApi } from "./Api.ts"
import { Recoveries } from "./Recoveries.ts"

export const RecoveryHttp = HttpApiBuilder.group(
  HttpApi.make("muster").add(RecoveryApi),
  "recovery",
  (handlers) =>
    Effect.map(Recoveries, (recoveries) =>
      handlers
        .handle("latest", ({ path }) => recoveries.latest(path.taskId))
        .handle("cancel", ({ path, payload }) =>
          asActor((by) => recoveries.cancel(path.taskId, payload.attemptId, by))
        )
    )
)
