import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { Effect } from "effect"
import { HealthApi } from "./Api.ts"
import { Health } from "./Health.ts"

export const HealthHttp = HttpApiBuilder.group(HttpApi.make("muster").add(HealthApi), "health", (handlers) =>
  Effect.map(Health, ({ live, ready }) =>
    handlers
      .handle("health", () => live)
      .handle("live", () => live)
      .handle("ready", () =>
        Effect.map(ready, (readiness) =>
          HttpServerResponse.unsafeJson(readiness, { status: readiness.status === "ready" ? 200 : 503 })
        )
      )
  )
)
