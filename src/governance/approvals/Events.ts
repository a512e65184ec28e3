import { Schema } from "effect"
import { Event } from "../../storage/events/Event.ts"
import { ActionClass, Answer, RequestKind, RiskClass, type RunApproval } from "./RunApproval.ts"

/** The resource of approvals in the outbox, and the stream that their changes move. */
export const approvalStream = "run-approval"

const facts = {
  taskId: Schema.String,
  attemptId: Schema.String,
  requestKind: RequestKind,
  actionClass: ActionClass,
  riskClass: RiskClass,
  actionHash: Schema.String,
  revision: Schema.Int
}

/** A run waits for a person. */
export class RunApprovalRequested extends Event("run-approval.requested", approvalStream, facts) {}

/** A person answered: who, stands at the event itself. */
export class RunApprovalDecided extends Event("run-approval.decided", approvalStream, {
  ...facts,
  decision: Answer
}) {}

/** Nobody answered in time. */
export class RunApprovalExpired extends Event("run-approval.expired", approvalStream, facts) {}

/** The run that asked ended before anybody answered. */
export class RunApprovalCancelled extends Event("run-approval.cancelled", approvalStream, facts) {}

/** What was approved was let happen. */
export class RunApprovalUsed extends Event("run-approval.used", approvalStream, facts) {}

/** The facts of an approval, as its events hold them. */
export const factsOf = ({ id: resourceId, ...approval }: RunApproval) => ({
  resourceId,
  taskId: approval.taskId,
  attemptId: approval.attemptId,
  requestKind: approval.requestKind,
  actionClass: approval.actionClass,
  riskClass: approval.riskClass,
  actionHash: approval.actionHash,
  revision: approval.revision
})
