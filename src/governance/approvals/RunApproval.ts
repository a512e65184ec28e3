import { Schema } from "effect"
import { digest } from "../../kernel/Digest.ts"
import { optional } from "../../kernel/Optional.ts"
import { iso, Timestamp } from "../../kernel/Time.ts"

/** What somebody asks for when a run asks for an approval (decision 70). */
export const RequestKind = Schema.Literal(
  "tool-call",
  "command",
  "file-change",
  "network",
  "budget",
  "phase-transition",
  "rewind",
  "workflow-gate",
  "elicitation"
).annotations({ identifier: "ApprovalRequestKind" })
export type RequestKind = typeof RequestKind.Type

/** What an approval lets happen, in the words that shares and devices are limited by (spec 3-runs, Run sessions). */
export const ActionClass = Schema.Literal(
  "tool",
  "shell",
  "filesystem",
  "network",
  "budget",
  "workflow",
  "elicitation"
).annotations({ identifier: "ApprovalActionClass" })
export type ActionClass = typeof ActionClass.Type

/** Each kind of request is for actions of one class. */
export const actionClassOf: Record<RequestKind, ActionClass> = {
  "tool-call": "tool",
  command: "shell",
  "file-change": "filesystem",
  network: "network",
  budget: "budget",
  "phase-transition": "workflow",
  rewind: "filesystem",
  "workflow-gate": "workflow",
  elicitation: "elicitation"
}

/** How much harm the action can do, least first (decision 70). */
export const RiskClass = Schema.Literal("low", "medium", "high", "critical").annotations({
  identifier: "ApprovalRiskClass"
})
export type RiskClass = typeof RiskClass.Type

/** `expired` says that nobody answered in time: it is no answer, and nobody is told that it was one. */
export const ApprovalStatus = Schema.Literal(
  "pending",
  "approved",
  "rejected",
  "expired",
  "cancelled"
).annotations({ identifier: "ApprovalStatus" })
export type ApprovalStatus = typeof ApprovalStatus.Type

/** What a person can answer. */
export const Answer = Schema.Literal("approved", "rejected")
export type Answer = typeof Answer.Type

/**
 * The question of a run whether it may do one exact action, and what became of it (spec 3-runs, Resources; run-approval/v1).
 * `decidedBy`, `decidedAt` and `note` are there once somebody answered, `usedAt` once the action was let happen.
 */
export const RunApproval = Schema.Struct({
  schemaVersion: Schema.Literal("run-approval/v1"),
  id: Schema.String,
  workspaceId: Schema.String,
  taskId: Schema.String,
  attemptId: Schema.String,
  provider: Schema.String,
  agentId: Schema.String,
  requestKind: RequestKind,
  actionClass: ActionClass,
  action: Schema.String,
  actionHash: Schema.String,
  resourceScope: Schema.Array(Schema.String),
  workingDirectory: Schema.NullOr(Schema.String),
  riskClass: RiskClass,
  evidenceRevision: Schema.String,
  providerRequestId: Schema.String,
  mobileSafe: Schema.Boolean,
  status: ApprovalStatus,
  revision: Schema.Int,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  expiresAt: Timestamp,
  decidedBy: optional(Schema.String),
  decidedAt: optional(Timestamp),
  note: optional(Schema.String),
  usedAt: optional(Timestamp)
}).annotations({ identifier: "RunApproval" })
export type RunApproval = typeof RunApproval.Type

/** The digest of the exact action, as the asker would carry it out: another action has another one. */
export const actionHashOf = (exact: unknown): string => digest(exact)

/**
 * Whether somebody on a phone may answer (ruling 50): a tool that says it only reads, or the network, at a low or medium
 * risk. `readsOnly` counts for tool calls alone: whatever else runs a command or changes a file does not get safe by it.
 */
export const isMobileSafe = (asked: {
  readonly requestKind: RequestKind
  readonly riskClass: RiskClass
  readonly readsOnly: boolean
}): boolean =>
  (asked.riskClass === "low" || asked.riskClass === "medium") &&
  (asked.requestKind === "network" || (asked.requestKind === "tool-call" && asked.readsOnly))

/** Whether its time is over at a moment, in milliseconds since the epoch. */
export const isOver = ({ expiresAt }: RunApproval, at: number): boolean => Date.parse(expiresAt) <= at

/**
 * An approval as it is at a moment: one that waits beyond its time has expired, whether or not that was written down
 * already. What was approved stays so: that somebody said yes is true for good, and what lapses is its use.
 */
export const asOf = (approval: RunApproval, at: number): RunApproval =>
  approval.status === "pending" && isOver(approval, at)
    ? changed(approval, Date.parse(approval.expiresAt), { status: "expired" })
    : approval

/** The next revision of an approval, changed at a moment. */
export const changed = (
  approval: RunApproval,
  at: number,
  change: Partial<Pick<RunApproval, "status" | "decidedBy" | "decidedAt" | "note" | "usedAt">>
): RunApproval => ({ ...approval, ...change, revision: approval.revision + 1, updatedAt: iso(at) })
