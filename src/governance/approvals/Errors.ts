import { Schema } from "effect"
import { ApprovalStatus } from "./RunApproval.ts"

/** No approval has this id. */
export class ApprovalNotFound extends Schema.TaggedError<ApprovalNotFound>()("ApprovalNotFound", {
  approvalId: Schema.String
}) {}

/** It was answered already, or its time was over, or its run had ended: the first outcome stays. */
export class ApprovalSettled extends Schema.TaggedError<ApprovalSettled>()("ApprovalSettled", {
  approvalId: Schema.String,
  status: ApprovalStatus
}) {}

/** The run that asked is over, or asks no more: nothing would come of an answer, and the approval is cancelled. */
export class AskerGone extends Schema.TaggedError<AskerGone>()("AskerGone", {
  approvalId: Schema.String,
  attemptId: Schema.String,
  status: Schema.Literal("cancelled")
}) {}

/** Whoever answers has another action before them than the one that the run asks for. */
export class ActionChanged extends Schema.TaggedError<ActionChanged>()("ActionChanged", {
  approvalId: Schema.String,
  actionHash: Schema.String
}) {}

/** Only a question of class elicitation has an answer beyond yes and no, and only yes carries one. */
export class ResponseNotAsked extends Schema.TaggedError<ResponseNotAsked>()("ResponseNotAsked", {
  issues: Schema.Array(Schema.Struct({ path: Schema.String, message: Schema.String }))
}) {}

/** A phone is not the place to answer this. */
export class NotMobileSafe extends Schema.TaggedError<NotMobileSafe>()("NotMobileSafe", {
  approvalId: Schema.String,
  clientMode: Schema.String
}) {}

/** Why an approval does not let an action happen. */
export const Unusable = Schema.Literal(
  "pending",
  "rejected",
  "expired",
  "cancelled",
  "used",
  "lapsed",
  "other-attempt",
  "other-kind",
  "other-action"
)
export type Unusable = typeof Unusable.Type

/** The approval does not let this action happen, and nothing has changed (ruling 27). */
export class ApprovalNotUsable extends Schema.TaggedError<ApprovalNotUsable>()("ApprovalNotUsable", {
  approvalId: Schema.String,
  reason: Unusable
}) {}

/** The attempt asked for another action under the same request id before. */
export class RequestReused extends Schema.TaggedError<RequestReused>()("RequestReused", {
  approvalId: Schema.String,
  attemptId: Schema.String
}) {}

/** The attempt has as many questions open as an attempt may have. */
export class TooManyApprovals extends Schema.TaggedError<TooManyApprovals>()("TooManyApprovals", {
  attemptId: Schema.String,
  limit: Schema.Int
}) {}
