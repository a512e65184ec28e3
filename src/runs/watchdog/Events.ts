import { Schema } from "effect"
import { Event } from "../../storage/events/Event.ts"
import { FindingKind, Resolution } from "./Finding.ts"

const whose = { taskId: Schema.String, attemptId: Schema.String, kind: FindingKind }

/** A run was found to make no progress. */
export class FindingDetected extends Event("watchdog-finding.detected", "watchdog-finding", whose) {}

/** Somebody decided about it. */
export class FindingOverridden extends Event("watchdog-finding.overridden", "watchdog-finding", {
  ...whose,
  resolution: Resolution
}) {}
