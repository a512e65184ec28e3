import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import { Effect } from "effect"
import { asActor } from "../../kernel/Actor.ts"
import { WatchdogApi } from "./Api.ts"
import { Watchdog } from "./Watchdog.ts"

export const WatchdogHttp = HttpApiBuilder.group(
  HttpApi.make("muster").add(WatchdogApi),
  "watchdog",
  (handlers) =>
    Effect.map(Watchdog, (watchdog) =>
      handlers
        .handle("findings", ({ path, urlParams }) => watchdog.findings(path.taskId, urlParams.attemptId))
        .handle("override", ({ path, payload }) =>
          asActor((by) => watchdog.override(path.taskId, path.findingId, payload, by))
        )
    )
)
