import { Schema } from "effect"
import * as Envelope from "../../kernel/Envelope.ts"
import * as Operation from "../../kernel/OperationReused.ts"
import { RevisionConflictWire } from "../../kernel/Revision.ts"
import * as Errors from "./Errors.ts"

/*
 * The wire form of every error of the tasks room, for all groups whose endpoints write tasks.
 */

export const TaskNotFound = Envelope.general(Errors.TaskNotFound, {
  status: 404,
  code: "NOT_FOUND",
  message: (error) => `Task ${error.taskId} does not exist`
})

export const TaskArchived = Envelope.general(Errors.TaskArchived, {
  status: 409,
  code: "CONFLICT",
  message: (error) => `Task ${error.taskId} is archived: restore it before you change it`
})

export const ClaimTakenOver = Envelope.general(Errors.ClaimTakenOver, {
  status: 409,
  code: "CONFLICT",
  message: ({ holder, since, taskId }) =>
    holder === undefined
      ? `Your claim of task ${taskId} lapsed, and somebody else took it over`
      : `Your claim of task ${taskId} lapsed, and ${holder} has it since ${since}`
})

export const TaskStateConflict = Envelope.general(Errors.TaskStateConflict, {
  status: 409,
  code: "CONFLICT",
  message: (error) => `Task ${error.taskId} can't be ${pastOf(error.operation)}. ${error.reason}`
})

export const TaskFull = Envelope.general(Errors.TaskFull, {
  status: 409,
  code: "CONFLICT",
  message: (error) => `The ${error.field} of task ${error.taskId} is full: it holds at most ${error.limit}`
})

export const MoveSourceChanged = Envelope.general(Errors.MoveSourceChanged, {
  status: 409,
  code: "CONFLICT",
  message: (error) =>
    `The task is at position ${error.currentPosition} of ${error.currentStatus}, not at ${error.expectedPosition} of ${error.expectedStatus}: read the board again`
})

export const OperationReused = Envelope.general(Operation.OperationReused, {
  status: 409,
  code: "CONFLICT",
  message: (error) => `Operation ${error.operationId} was used before with another input: choose a new id`
})

export const PreconditionMissing = Envelope.general(Errors.PreconditionMissing, {
  status: 400,
  code: "VALIDATION_ERROR",
  message: () => "Validation failed"
})

export const AttemptEvidenceInvalid = Envelope.general(Errors.AttemptEvidenceInvalid, {
  status: 400,
  code: "VALIDATION_ERROR",
  message: () => "Validation failed"
})

export const AttemptHoldsEvidence = Envelope.general(Errors.AttemptHoldsEvidence, {
  status: 409,
  code: "CONFLICT",
  message: (error) => `The attempt of task ${error.taskId} holds evidence of a run and can't be replaced`
})

export const IdentityConflict = Envelope.conflict(Errors.IdentityConflict, {
  status: 409,
  code: "CONFLICT",
  message: () => "Duplicate task identity detected"
})

export const ReviewGateFailed = Envelope.nested(Errors.ReviewGateFailed, {
  status: 400,
  code: "REVIEW_GATE_FAILED",
  message: () => "The review gate is on: security, reliability, performance and accessibility must all be 10"
})

export const ClosingCommentRequired = Envelope.nested(Errors.ClosingCommentRequired, {
  status: 400,
  code: "CLOSING_COMMENT_REQUIRED",
  message: (error) =>
    `A task is completed with a comment of at least ${error.requiredLength} characters; the longest has ${error.longestComment}`
})

export const CeremonyRequired = Envelope.nested(Errors.CeremonyRequired, {
  status: 400,
  code: "CEREMONY_REQUIRED",
  message: (error) =>
    `The task needs a ${error.ceremonyType} before it is done (${error.reasons.join(", ")}): complete ceremony ${error.ceremonyId} first`
})

export const AutoTelemetryFailed = Envelope.nested(Errors.AutoTelemetryFailed, {
  status: 500,
  code: "AUTO_TELEMETRY_FAILED",
  message: () => "The run telemetry could not be stored, so the status was not changed"
})

export const AutoTimeTrackingFailed = Envelope.nested(Errors.AutoTimeTrackingFailed, {
  status: 500,
  code: "AUTO_TIME_TRACKING_FAILED",
  message: () => "The timer could not be stored, so the status was not changed"
})

/** What every write on one task may be refused with. */
export const WriteRefused = Schema.Union(
  TaskNotFound,
  TaskArchived,
  TaskFull,
  ClaimTakenOver,
  IdentityConflict,
  RevisionConflictWire
)

/** What a change of the status may be refused with. */
export const StatusRefused = Schema.Union(
  ReviewGateFailed,
  ClosingCommentRequired,
  CeremonyRequired,
  AutoTelemetryFailed,
  AutoTimeTrackingFailed
)

const past: Readonly<Record<string, string>> = {
  archive: "archived",
  delete: "deleted",
  restore: "restored",
  demote: "demoted",
  promote: "promoted"
}

const pastOf = (operation: string): string => past[operation] ?? "changed"
