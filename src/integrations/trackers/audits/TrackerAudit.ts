import { Schema } from "effect"
import { optional } from "../../../kernel/Optional.ts"
import { Timestamp } from "../../../kernel/Time.ts"
import { TrackerProvider } from "../profiles/Provider.ts"

/** What can be read in the audit of the trackers. */
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

/** What was done with a tracker: metadata alone, nothing of a task's texts, of the payload or of a credential. */
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
