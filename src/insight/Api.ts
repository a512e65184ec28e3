import * as HttpApi from "@effect/platform/HttpApi"
import { AnalyticsApi } from "./analytics/Api.ts"
import { AuditApi } from "./audit/Api.ts"
import { HealthApi } from "./health/Api.ts"
import { MaintenanceApi } from "./maintenance/Api.ts"
import { SearchApi } from "./search/Api.ts"
import { TelemetryApi } from "./telemetry/Api.ts"
import { TracesApi } from "./traces/Api.ts"

/** The groups of insight. */
export const InsightApi = HttpApi.make("muster")
  .add(AnalyticsApi)
  .add(AuditApi)
  .add(HealthApi)
  .add(MaintenanceApi)
  .add(SearchApi)
  .add(TelemetryApi)
  .add(TracesApi)
