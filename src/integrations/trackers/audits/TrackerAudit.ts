import { Schema } from "effect"
import { optional } from "../../../kernel/Optional.ts"
import { Timestamp } from "../../../kernel/Time.ts"
import { TrackerProvider } from "../profiles/Provider.ts"

/** The actions in the audit of the trackers. */
export const TrackerAction = Schema.Literal(
  "connection.updated",
  "schema.introspected",
  "profile.saved",
  "create.started",
  "create.failed",
  "create.unknown",
  "create.succeeded",
  "create.linked"
).annotations({ identifier: "TrackerAction" })
export type TrackerAction = typeof TrackerAction.Type

/** An entry of the audit: metadata only, no text of a task, no payload, no credential. */
export const TrackerAudit = Schema.Struct({
  id: Schema.String,
  timestamp: Timestamp,
  action: TrackerAction,
  actor: Schema.String,
  approvedBy: optional(Schema.String),
  provider: optional(TrackerProvider),
  project: optional(Schema.String),
  profileId: optional(Schema.String),
  taskId: optional(Schema.String),
  externalKey: optional(Schema.String),
  reason: optional(Schema.String).annotations({ description: "Why it failed, as a code" })
}).annotations({ identifier: "TrackerAudit" })
export type TrackerAudit = typeof TrackerAudit.Type
