import { Layer } from "effect"
import { Authorization } from "../kernel/Authorization.ts"
import { ExplicitCredential } from "../kernel/ExplicitCredential.ts"
import { seeing } from "../kernel/Sight.ts"
import type { Retention } from "../storage/Retention.ts"
import { Analytics } from "./analytics/Analytics.ts"
import { AnalyticsHttp } from "./analytics/Http.ts"
import { AuditLog } from "./audit/AuditLog.ts"
import { AuditHttp } from "./audit/Http.ts"
import { CircuitControl } from "./health/CircuitControl.ts"
import { Diagnostics } from "./health/Diagnostics.ts"
import { Health } from "./health/Health.ts"
import { HealthHttp } from "./health/Http.ts"
import { Backups } from "./maintenance/Backups.ts"
import * as FileWatch from "./maintenance/FileWatch.ts"
import { MaintenanceHttp } from "./maintenance/Http.ts"
import { IntegrityChecks } from "./maintenance/IntegrityChecks.ts"
import { JournalMaintenance } from "./maintenance/JournalMaintenance.ts"
import { SqliteHealth } from "./maintenance/SqliteHealth.ts"
import { SearchHttp } from "./search/Http.ts"
import { Searches, type SearchSettings } from "./search/Searches.ts"
import { TelemetryHttp } from "./telemetry/Http.ts"
import { telemetryRetention } from "./telemetry/Retention.ts"
import { Telemetry } from "./telemetry/Telemetry.ts"
import { TracesHttp } from "./traces/Http.ts"
import { traceRetention } from "./traces/Retention.ts"
import { Traces } from "./traces/Traces.ts"

/** The handlers of insight. */
export const InsightHttp = Layer.mergeAll(
  AnalyticsHttp.pipe(seeing(Authorization, Analytics)),
  AuditHttp.pipe(seeing(Authorization, AuditLog)),
  HealthHttp.pipe(seeing(Authorization, CircuitControl, Diagnostics, Health)),
  MaintenanceHttp.pipe(seeing(Authorization, Backups, ExplicitCredential, JournalMaintenance)),
  SearchHttp.pipe(seeing(Authorization, Searches)),
  TelemetryHttp.pipe(seeing(Authorization, Telemetry)),
  TracesHttp.pipe(seeing(Authorization, Traces))
)

export { forgetTask } from "./traces/Units.ts"

/** How long insight keeps what is reported to it. */
export const insightRetentions: ReadonlyArray<Retention> = [telemetryRetention, traceRetention]

/** What of insight is chosen outside. */
export interface InsightSettings {
  readonly search: SearchSettings
}

/** The services of insight. */
export const Insight = ({ search }: InsightSettings) =>
  Layer.mergeAll(
    Analytics.layer,
    AuditLog.layer,
    Backups.layer,
    Diagnostics.layer,
    FileWatch.layer,
    JournalMaintenance.layer,
    Searches.layer(search),
    Telemetry.layer,
    Traces.layer
  ).pipe(
    Layer.provideMerge(Layer.mergeAll(CircuitControl.layer, Health.layer, SqliteHealth.layer)),
    Layer.provideMerge(IntegrityChecks.layer)
  )
