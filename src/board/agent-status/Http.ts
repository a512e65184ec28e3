import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import { Effect } from "effect"
import { asActor } from "../../kernel/Actor.ts"
import { AgentStatuses } from "./AgentStatuses.ts"
import { AgentStatusApi } from "./Api.ts"

export const AgentStatusHttp = HttpApiBuilder.group(
  HttpApi.make("muster").add(AgentStatusApi),
  "agentStatus",
  (handlers) =>
    Effect.map(AgentStatuses, (statuses) =>
      handlers
        .handle("get", () => statuses.get)
        .handle("report", ({ payload }) => asActor((by) => statuses.report(payload, by)))
        .handle("reportViolation", ({ payload }) => asActor((by) => statuses.reportViolation(payload, by)))
    )
)
