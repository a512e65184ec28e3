import { Schema } from "effect"
import { Event } from "../../storage/events/Event.ts"
import { TelemetryType } from "./TelemetryEvent.ts"

export class TelemetryRecorded extends Event("telemetry.recorded", "telemetry", {
  type: TelemetryType,
  taskId: Schema.String
}) {}
