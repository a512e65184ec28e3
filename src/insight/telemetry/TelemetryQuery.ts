import { Schema } from "effect"
import { Limit } from "../../kernel/Paging.ts"
import { nonBlank } from "../../kernel/Text.ts"
import { Timestamp } from "../../kernel/Time.ts"
import { TelemetryType } from "./TelemetryEvent.ts"

const selection = {
  type: Schema.optional(
    TelemetryType.annotations({
      description: "Events of this type; the internal one exists for admins alone"
    })
  ),
  taskId: Schema.optional(nonBlank(200).annotations({ description: "Events of this task" }))
}

/** Which events to count. */
export const TelemetrySelection = Schema.Struct(selection)
export type TelemetrySelection = typeof TelemetrySelection.Type

/** Which events to list. */
export const TelemetryFilter = Schema.Struct({ ...selection, limit: Schema.optional(Limit) })
export type TelemetryFilter = typeof TelemetryFilter.Type

/** The most events that an export holds. */
export const exportLimit = 100_000

/** What to export, and how. */
export const TelemetryExport = Schema.Struct({
  ...selection,
  format: Schema.optional(
    Schema.Literal("json", "csv").annotations({ description: "`json` when it is absent" })
  )
})
export type TelemetryExport = typeof TelemetryExport.Type

/** How many events there are, in all and of each type. */
export const TelemetryCount = Schema.Struct({
  total: Schema.Int,
  byType: Schema.Struct({
    "run.started": Schema.Int,
    "run.completed": Schema.Int,
    "run.tokens": Schema.Int,
    "network.egress": Schema.optionalWith(Schema.Int, { exact: true })
  })
}).annotations({ identifier: "TelemetryCount" })
export type TelemetryCount = typeof TelemetryCount.Type

/** Whether telemetry is recorded, how much of it there is, and when the last event came. */
export const TelemetryStatus = Schema.Struct({
  enabled: Schema.Boolean,
  total: Schema.Int,
  lastEventAt: Schema.NullOr(Timestamp)
}).annotations({ identifier: "TelemetryStatus" })
export type TelemetryStatus = typeof TelemetryStatus.Type
