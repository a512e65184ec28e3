import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import { Effect } from "effect"
import { asActor } from "../../kernel/Actor.ts"
import { TracesApi } from "./Api.ts"
import { Traces } from "./Traces.ts"

export const TracesHttp = HttpApiBuilder.group(HttpApi.make("muster").add(TracesApi), "traces", (handlers) =>
  Effect.map(Traces, (traces) =>
    handlers
      .handle("status", () => traces.status)
      .handle("enable", () => asActor((by) => traces.enable(true, by)))
      .handle("disable", () => asActor((by) => traces.enable(false, by)))
      .handle("ofTask", ({ path, urlParams }) => traces.ofTask(path.taskId, urlParams.limit))
      .handle("decision", ({ path }) => traces.decision(path.traceId))
      .handle("ofAttempt", ({ path }) => traces.ofAttempt(path.attemptId))
  )
)
