import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import { Effect } from "effect"
import { asActor } from "../../kernel/Actor.ts"
import { LaunchApi } from "./Api.ts"
import { Launches } from "./Launches.ts"

export const LaunchHttp = HttpApiBuilder.group(HttpApi.make("muster").add(LaunchApi), "launch", (handlers) =>
  Effect.map(Launches, (launches) =>
    handlers
      .handle("start", ({ headers, path, payload: { idempotencyKey, ...wish } }) =>
        asActor((by) => launches.start(path.taskId, wish, headers["x-idempotency-key"] ?? idempotencyKey, by))
      )
      .handle("preview", ({ path, payload: { idempotencyKey: _, ...wish } }) =>
        asActor((by) => launches.preview(path.taskId, wish, by))
      )
  )
)
