import { Layer } from "effect"
import { Authorization } from "../kernel/Authorization.ts"
import { seeing } from "../kernel/Seeing.ts"
import { Health } from "./health/Health.ts"
import { HealthHttp } from "./health/Http.ts"

/** The handlers of insight. */
export const InsightHttp = Layer.mergeAll(HealthHttp.pipe(seeing(Authorization, Health)))

/** The services of insight. */
export const Insight = Layer.mergeAll(Health.layer)
