import { Layer } from "effect"
import { Health } from "./health/Health.ts"
import { HealthHttp } from "./health/Http.ts"

/** The handlers of insight. */
export const InsightHttp = Layer.mergeAll(HealthHttp)

/** The services of insight. */
export const Insight = Layer.mergeAll(Health.layer)
