import { Layer } from "effect"
import { Authorization } from "../kernel/Authorization.ts"
import { ExplicitCredential } from "../kernel/ExplicitCredential.ts"
import { seeing } from "../kernel/Seeing.ts"
import { CircuitControl } from "./health/CircuitControl.ts"
import { Diagnostics } from "./health/Diagnostics.ts"
import { Health } from "./health/Health.ts"
import { HealthHttp } from "./health/Http.ts"
import { Backups } from "./maintenance/Backups.ts"
import { MaintenanceHttp } from "./maintenance/Http.ts"
import { IntegrityChecks } from "./maintenance/IntegrityChecks.ts"
import { JournalMaintenance } from "./maintenance/JournalMaintenance.ts"
import { SqliteHealth } from "./maintenance/SqliteHealth.ts"
import { TelemetryHttp } from "./telemetry/Http.ts"
import { Telemetry } from "./telemetry/Telemetry.ts"
import { TracesHttp } from "./traces/Http.ts"
import { Traces } from "./traces/Traces.ts"

/** The handlers of insight. */
export const InsightHttp = Layer.mergeAll(
  HealthHttp.pipe(seeing(Authorization, CircuitControl, Diagnostics, Health)),
  MaintenanceHttp.pipe(seeing(Authorization, Backups, ExplicitCredential, JournalMaintenance)),
  TelemetryHttp.pipe(seeing(Authorization, Telemetry)),
  TracesHttp.pipe(seeing(Authorization, Traces))
)

/** The services of insight. */
export const Insight = Layer.mergeAll(
  Backups.layer,
  Diagnostics.layer,
  JournalMaintenance.layer,
  Telemetry.layer,
  Traces.layer
).pipe(
  Layer.provideMerge(Layer.mergeAll(CircuitControl.layer, Health.layer, SqliteHealth.layer)),
  Layer.provideMerge(IntegrityChecks.layer)
)
