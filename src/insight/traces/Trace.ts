import { Schema } from "effect"
import { IdParam } from "../../kernel/IdParam.ts"
import { Timestamp } from "../../kernel/Time.ts"

/**
 * One entry of a trace: something that happened in an attempt, or a decision of the governance, whose ids begin with
 * `govtrace_`. `kind` says what, e.g. `ceremony.required`; `details` are metadata: ids, names, numbers, reasons.
 */
export const TraceEntry = Schema.Struct({
  id: Schema.String,
  kind: Schema.String,
  taskId: Schema.NullOr(Schema.String),
  attemptId: Schema.NullOr(Schema.String),
  details: Schema.Record({ key: Schema.String, value: Schema.Unknown }),
  createdAt: Timestamp,
  createdBy: Schema.String
}).annotations({ identifier: "TraceEntry" })
export type TraceEntry = typeof TraceEntry.Type

/** The trace of an attempt, from its first entry on. */
export const AttemptTrace = Schema.Struct({
  attemptId: Schema.String,
  taskId: Schema.NullOr(Schema.String),
  entries: Schema.Array(TraceEntry)
}).annotations({ identifier: "AttemptTrace" })
export type AttemptTrace = typeof AttemptTrace.Type

/** Whether attempts are traced. */
export const TraceStatus = Schema.Struct({ enabled: Schema.Boolean }).annotations({
  identifier: "TraceStatus"
})
export type TraceStatus = typeof TraceStatus.Type

/** The id of an attempt, or of a decision, as it comes in a path. */
export const TraceIdParam = IdParam
