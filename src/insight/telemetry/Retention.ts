import type { Retention } from "../../storage/Retention.ts"
import * as TelemetryRepo from "./TelemetryRepo.ts"

/**
 * What agents reported: a year. It outlives its news in the outbox, where each report is a stream of its own that nobody
 * follows.
 */
export const telemetryRetention: Retention = {
  name: "telemetry",
  span: { days: 365, count: 100_000 },
  forget: TelemetryRepo.forgetOld,
  passing: "telemetry"
}
