import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import { Authorization, Requires } from "../../kernel/Authorization.ts"
import { PeriodQuery } from "./Period.ts"
import { BoardHealth, Metrics, Timeline } from "./Report.ts"
import * as Wire from "./Wire.ts"

export const AnalyticsApi = HttpApiGroup.make("analytics")
  .add(
    HttpApiEndpoint.get("timeline", "/analytics/timeline")
      .setUrlParams(PeriodQuery)
      .addSuccess(Timeline)
      .addError(Wire.PeriodInvalid)
      .annotate(Requires, "task:read")
      .annotate(
        OpenApi.Description,
        "How many tasks came and how many were completed on each day, at most 366 of them; days are those of UTC. An imported task comes on the day of its import, and is no completion when it comes as done. A task that is reopened is no longer completed; one that is archived or deleted afterwards still was. The feature `analyticsEnabled` shows or hides analytics in a user interface: this API answers either way."
      )
  )
  .add(
    HttpApiEndpoint.get("metrics", "/analytics/metrics")
      .setUrlParams(PeriodQuery)
      .addSuccess(Metrics)
      .addError(Wire.PeriodInvalid)
      .annotate(Requires, "task:read")
      .annotate(
        OpenApi.Description,
        "How much gets done, and how fast. `throughput`: the tasks that were completed in these days. `cycleTime`: how long they took from the first time in progress, or from their creation when they never were, to done; null when there are none, and without those that were created as done. `wip`: how many tasks of the board are in progress now."
      )
  )
  .add(
    HttpApiEndpoint.get("health", "/analytics/health")
      .addSuccess(BoardHealth)
      .annotate(Requires, "task:read")
      .annotate(
        OpenApi.Description,
        "How the board is now. `wip` tasks are in progress, `blocked` tasks are blocked, `stale` is how many of both nothing has happened to for seven days: no change, comment, observation, checkpoint or telemetry. `score` is 100 less 50 times the share that is blocked, less 50 times the share that is stale; 100 when nothing is begun. `healthy` from 80 on, `unhealthy` below 50, `at-risk` between."
      )
  )
  .middleware(Authorization)
  .prefix("/api")
  .annotate(OpenApi.Title, "Analytics")
