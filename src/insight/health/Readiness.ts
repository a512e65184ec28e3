import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import { Schema } from "effect"
import { Timestamp } from "../../kernel/Time.ts"

/** The process runs. */
export const Liveness = Schema.Struct({ status: Schema.Literal("ok"), timestamp: Timestamp }).annotations({
  identifier: "Liveness"
})

const Check = Schema.Struct({
  status: Schema.Literal("ok", "degraded"),
  detail: Schema.optionalWith(Schema.String, { exact: true })
})

/** What readiness looks at. */
export const Checks = Schema.Struct({ storage: Check, memory: Check, disk: Check })

const readiness = <S extends string>(status: S) =>
  Schema.Struct({ status: Schema.Literal(status), checks: Checks, timestamp: Timestamp })

/** The service can do its work. */
export const Ready = readiness("ready").annotations({ identifier: "Ready" })
/** The service runs and should get no new work: a check tells why. */
export const Degraded = readiness("degraded").annotations({
  identifier: "Degraded",
  ...HttpApiSchema.annotations({ status: 503 })
})
