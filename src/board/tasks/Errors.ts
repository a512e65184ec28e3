import { Schema } from "effect"
import { leavesBehind } from "../../kernel/Refusal.ts"

/** No task has this id. */
export class TaskNotFound extends Schema.TaggedError<TaskNotFound>()("TaskNotFound", {
  taskId: Schema.String
}) {}

/** The task is archived: it can be read, restored and deleted, nothing else. */
export class TaskArchived extends Schema.TaggedError<TaskArchived>()("TaskArchived", {
  taskId: Schema.String,
  operation: Schema.String
}) {}

/** One identity that several tasks claim, and who they are. */
export const IdentityConflictEntry = Schema.Struct({
  kind: Schema.Literal("task-id", "external-identity"),
  id: Schema.String,
  sources: Schema.Array(
    Schema.Struct({ location: Schema.Literal("active", "backlog", "archive"), path: Schema.String })
  )
}).annotations({ identifier: "IdentityConflictEntry" })
export type IdentityConflictEntry = typeof IdentityConflictEntry.Type

/** The task shares its id, or an external identity, with another one (spec 1-core, Errors, rule 2). */
export class IdentityConflict extends Schema.TaggedError<IdentityConflict>()("IdentityConflict", {
  operation: Schema.String,
  taskId: Schema.String,
  destinationPath: Schema.optionalWith(Schema.String, { exact: true }),
  duplicateIds: Schema.Array(Schema.String),
  conflicts: Schema.Array(IdentityConflictEntry)
}) {}

/** The claim of whoever writes has lapsed, and somebody else took the task over. */
export class ClaimTakenOver extends Schema.TaggedError<ClaimTakenOver>()("ClaimTakenOver", {
  taskId: Schema.String,
  /** The epoch of the claim that came after theirs. */
  epoch: Schema.Int,
  /** Who has it now, and since when; absent when nobody holds it any more. */
  holder: Schema.optionalWith(Schema.String, { exact: true }),
  since: Schema.optionalWith(Schema.String, { exact: true }),
  remedy: Schema.String
}) {}

/** The operation does not fit the status that the task has now. */
export class TaskStateConflict extends Schema.TaggedError<TaskStateConflict>()("TaskStateConflict", {
  taskId: Schema.String,
  operation: Schema.String,
  status: Schema.String,
  reason: Schema.String
}) {}

/** The task is no longer where the move expected it (spec README, ruling 11). */
export class MoveSourceChanged extends Schema.TaggedError<MoveSourceChanged>()("MoveSourceChanged", {
  resourceType: Schema.Literal("task"),
  resourceId: Schema.String,
  expectedStatus: Schema.String,
  expectedPosition: Schema.Int,
  currentStatus: Schema.String,
  currentPosition: Schema.Int,
  currentRevision: Schema.Int
}) {}

/** A move must say which revision it was based on. */
export class PreconditionMissing extends Schema.TaggedError<PreconditionMissing>()("PreconditionMissing", {
  issues: Schema.Array(Schema.Struct({ path: Schema.String, message: Schema.String }))
}) {}

/** The body tried to write evidence of runs, which the service alone writes. */
export class AttemptEvidenceInvalid extends Schema.TaggedError<AttemptEvidenceInvalid>()(
  "AttemptEvidenceInvalid",
  { issues: Schema.Array(Schema.Struct({ path: Schema.String, message: Schema.String })) }
) {}

/** The task's attempt holds evidence and can't be replaced. */
export class AttemptHoldsEvidence extends Schema.TaggedError<AttemptHoldsEvidence>()("AttemptHoldsEvidence", {
  taskId: Schema.String
}) {}

/** A list or a text of the task would grow beyond what a task can hold. */
export class TaskFull extends Schema.TaggedError<TaskFull>()("TaskFull", {
  taskId: Schema.String,
  field: Schema.String,
  limit: Schema.Int
}) {}

const Scores = Schema.Record({ key: Schema.String, value: Schema.NullOr(Schema.Int) })

/** Completion needs all four review scores at 10 (spec 1-core, Enforcement gates, reviewGate). */
export class ReviewGateFailed extends Schema.TaggedError<ReviewGateFailed>()("ReviewGateFailed", {
  currentScores: Scores,
  requiredScores: Scores
}) {}

/** Completion needs a comment of 20 or more characters (spec 1-core, Enforcement gates, closingComments). */
export class ClosingCommentRequired extends Schema.TaggedError<ClosingCommentRequired>()(
  "ClosingCommentRequired",
  { commentCount: Schema.Int, longestComment: Schema.Int, requiredLength: Schema.Int }
) {}

/**
 * Completion needs a ceremony first (spec 1-core, Enforcement gates). It is the one refusal that leaves something
 * behind: the ceremony that waits to be held.
 */
export class CeremonyRequired extends Schema.TaggedError<CeremonyRequired>()("CeremonyRequired", {
  gate: Schema.String,
  mode: Schema.String,
  ceremonyId: Schema.String,
  ceremonyType: Schema.String,
  taskId: Schema.String,
  reasons: Schema.Array(Schema.String)
}) {
  readonly [leavesBehind] = true
}

/** The run telemetry of a status change could not be stored, so the status did not change either. */
export class AutoTelemetryFailed extends Schema.TaggedError<AutoTelemetryFailed>()("AutoTelemetryFailed", {
  taskId: Schema.String
}) {}

/** The timer of a status change could not be stored, so the status did not change either. */
export class AutoTimeTrackingFailed extends Schema.TaggedError<AutoTimeTrackingFailed>()(
  "AutoTimeTrackingFailed",
  { taskId: Schema.String }
) {}

/** What stops a task from changing its status. */
export type StatusRefused =
  | ReviewGateFailed
  | ClosingCommentRequired
  | CeremonyRequired
  | AutoTelemetryFailed
  | AutoTimeTrackingFailed
