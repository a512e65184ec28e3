import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import { Effect } from "effect"
import { Analytics } from "./Analytics.ts"
import { AnalyticsApi } from "./Api.ts"

export const AnalyticsHttp = HttpApiBuilder.group(
  HttpApi.make("muster").add(AnalyticsApi),
  "analytics",
  (handlers) =>
    Effect.map(Analytics, (analytics) =>
      handlers
        .handle("timeline", ({ urlParams }) => analytics.timeline(urlParams))
        .handle("metrics", ({ urlParams }) => analytics.metrics(urlParams))
        .handle("health", () => analytics.health)
    )
)
