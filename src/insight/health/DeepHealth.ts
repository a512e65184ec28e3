import { Schema } from "effect"
import { Timestamp } from "../../kernel/Time.ts"
import { SqliteStorage } from "../maintenance/SqliteStorage.ts"
import { CircuitReport, CircuitSummary, OverrideReport } from "./CircuitReport.ts"
import { Checks } from "./Readiness.ts"

/** A worker of this process, when it last came round, and how many of its rounds failed in a row. */
const WorkerReport = Schema.Struct({
  worker: Schema.String,
  startedAt: Timestamp,
  lastBeatAt: Timestamp,
  failures: Schema.Int
}).annotations({ identifier: "WorkerReport" })

/** Everything that an operator may want to know of the service (spec 1-core, Health). */
export const DeepHealth = Schema.Struct({
  status: Schema.Literal("ok", "degraded"),
  version: Schema.String,
  interfaceVersion: Schema.String,
  startedAt: Timestamp,
  timestamp: Timestamp,
  checks: Checks,
  webSockets: Schema.Struct({ connections: Schema.Int }),
  workers: Schema.Array(WorkerReport),
  circuitBreakers: Schema.Array(Schema.Struct({ key: Schema.String, state: CircuitReport.fields.state })),
  dependencyCircuits: Schema.Struct({
    summary: CircuitSummary,
    circuits: Schema.Array(CircuitReport),
    overrides: Schema.Array(Schema.Struct({ key: Schema.String, ...OverrideReport.fields }))
  }),
  sqlite: SqliteStorage
}).annotations({ identifier: "DeepHealth" })
export type DeepHealth = typeof DeepHealth.Type
