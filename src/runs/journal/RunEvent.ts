import { Schema } from "effect"
import { optional } from "../../kernel/Optional.ts"
import { iso, Timestamp } from "../../kernel/Time.ts"
import type { Entry } from "../../storage/Log.ts"

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

/** Whose the events of a journal are, and where they come from. */
export interface Journal {
  readonly attemptId: string
  readonly taskId: string
  readonly runId: string
  readonly provider: string
  readonly adapter: string
  readonly sessionId: string | null
}

/** What of an event is stored: the rest stands in its journal and beside it in the log. */
export type StoredPart = Pick<RunEvent, "sessionId" | "redaction" | "payload" | "payloadHash">

/**
 * Spells out the events of a journal as JSON. A page is hundreds of them and is read again and again, so what is stored
 * goes into it as it stands.
 */
export const spelling = ({ adapter, attemptId, provider, runId, taskId }: Journal) => {
  const head = JSON.stringify({
    schemaVersion: "run-event/v1",
    taskId,
    runId,
    attemptId,
    source: { provider, adapter }
  }).slice(0, -1)
  const prefix = JSON.stringify(attemptId).slice(0, -1)
  return ({ at, kind, payload, sequence }: Entry): string =>
    `${head},"eventId":${prefix}:${sequence}","sequence":${sequence},"receivedAt":"${iso(at)}","kind":${JSON.stringify(kind)},${payload.slice(1)}`
}

/** The stream of the log that holds the events of an attempt. */
export const streamOf = (attemptId: string) => ({ resource: "attempt", resourceId: attemptId })
