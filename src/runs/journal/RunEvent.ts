import { Schema } from "effect"
import { optional } from "../../kernel/Optional.ts"
import { Timestamp } from "../../kernel/Time.ts"

/**
 * What became of a payload before it was stored: as it came, without secrets that stood in these fields, or not stored
 * because it exceeds what a journal holds. Bytes are those of its JSON, as it came and as the event keeps it.
 */
const Redaction = Schema.Struct({
  status: Schema.Literal("none", "redacted", "dropped"),
  fields: Schema.Array(Schema.String),
  originalBytes: Schema.Int,
  persistedBytes: Schema.Int
})
export type Redaction = typeof Redaction.Type

/**
 * What a run said or did (spec 1-core, Events; ruling 84). `kind` is open: whoever does not know one can still replay it.
 * A payload that is too long is `{artifactId, preview}`, of an `output` with its `stream`.
 */
export const RunEvent = Schema.Struct({
  schemaVersion: Schema.Literal("run-event/v1"),
  eventId: Schema.String,
  taskId: Schema.String,
  runId: Schema.String,
  attemptId: Schema.String,
  sessionId: Schema.NullOr(Schema.String),
  /** Counts the events of the attempt from 1. */
  sequence: Schema.Int,
  receivedAt: Timestamp,
  kind: Schema.String,
  source: Schema.Struct({ provider: Schema.String, adapter: Schema.String }),
  redaction: Redaction,
  payload: Schema.Unknown,
  payloadHash: Schema.String
}).annotations({ identifier: "RunEvent" })
export type RunEvent = typeof RunEvent.Type

/** The events of an attempt after a sequence. */
export const RunEventPage = Schema.Struct({
  schemaVersion: Schema.Literal("run-event-page/v1"),
  taskId: Schema.String,
  attemptId: Schema.String,
  events: Schema.Array(RunEvent),
  nextCursor: Schema.Int,
  hasMore: Schema.Boolean,
  /** The sequences between the cursor and the first event that is still kept. */
  gap: optional(Schema.Struct({ from: Schema.Int, to: Schema.Int }))
}).annotations({ identifier: "RunEventPage" })
