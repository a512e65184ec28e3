import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { Effect } from "effect"
import { asActor } from "../../kernel/Actor.ts"
import { HealthApi } from "./Api.ts"
import { CircuitControl } from "./CircuitControl.ts"
import { Diagnostics } from "./Diagnostics.ts"
import { Health } from "./Health.ts"

export const HealthHttp = HttpApiBuilder.group(HttpApi.make("muster").add(HealthApi), "health", (handlers) =>
  Effect.gen(function* () {
    const { live, ready } = yield* Health
    const { deep } = yield* Diagnostics
    const circuits = yield* CircuitControl
    return handlers
      .handle("health", () => live)
      .handle("live", () => live)
      .handle("ready", () =>
        Effect.map(ready, (readiness) =>
          HttpServerResponse.unsafeJson(readiness, { status: readiness.status === "ready" ? 200 : 503 })
        )
      )
      .handle("deep", () => deep)
      .handle("resetCircuit", ({ path, payload }) =>
        asActor((by) => circuits.reset(path.key, payload.reason, by))
      )
      .handle("overrideCircuit", ({ path, payload }) =>
        asActor((by) => circuits.override(path.key, payload, by))
      )
      .handle("clearOverride", ({ path }) => asActor((by) => circuits.clearOverride(path.key, by)))
  })
)
