import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import { Authorization, Requires } from "../../kernel/Authorization.ts"
import { Timestamp } from "../../kernel/Time.ts"

/** The process runs. */
export const Liveness = Schema.Struct({ status: Schema.Literal("ok"), timestamp: Timestamp }).annotations({
  identifier: "Liveness"
})

const Check = Schema.Struct({
  status: Schema.Literal("ok", "degraded"),
  detail: Schema.optionalWith(Schema.String, { exact: true })
})

const readiness = <S extends string>(status: S) =>
  Schema.Struct({
    status: Schema.Literal(status),
    checks: Schema.Struct({ storage: Check, memory: Check, disk: Check }),
    timestamp: Timestamp
  })

/** The service can do its work. */
export const Ready = readiness("ready").annotations({ identifier: "Ready" })
/** The service runs and should get no new work: a check tells why. */
export const Degraded = readiness("degraded").annotations({
  identifier: "Degraded",
  ...HttpApiSchema.annotations({ status: 503 })
})

export const HealthApi = HttpApiGroup.make("health")
  .add(
    HttpApiEndpoint.get("health", "/health")
      .addSuccess(Liveness)
      .annotate(Requires, "public")
      .annotate(OpenApi.Description, "Liveness. Answers at `/health` too, without a prefix.")
  )
  .add(
    HttpApiEndpoint.get("live", "/health/live")
      .addSuccess(Liveness)
      .annotate(Requires, "public")
      .annotate(OpenApi.Description, "Liveness. Answers at `/health/live` too, without a prefix.")
  )
  .add(
    HttpApiEndpoint.get("ready", "/health/ready")
      .addSuccess(Ready)
      .addSuccess(Degraded)
      .annotate(Requires, "public")
      .annotate(
        OpenApi.Description,
        "Readiness: 503 when storage can't write, when the disk has less than 100 MB or 1 % left, or when the heap is above 90 % of its limit. Answers at `/health/ready` too, without a prefix."
      )
  )
  .middleware(Authorization)
  .annotate(OpenApi.Title, "Health")
