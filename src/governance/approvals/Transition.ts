import { Data } from "effect"
import { iso } from "../../kernel/Time.ts"
import { ActionChanged, ApprovalNotUsable, ApprovalSettled, AskerGone, type Unusable } from "./Errors.ts"
import { type Answer, asOf, changed, isOver, type RequestKind, type RunApproval } from "./RunApproval.ts"

/** What somebody has before them when they answer. */
export interface Seen {
  readonly revision: number
  readonly actionHash: string
}

/** What can become of the question, each at a moment in milliseconds since the epoch. */
export type Command = Data.TaggedEnum<{
  /** A person answers; without `seen`, whatever is asked by now. */
  Decide: {
    readonly at: number
    readonly answer: Answer
    readonly by: string
    readonly note?: string
    readonly seen?: Seen
    readonly askerIsAlive: boolean
  }
  /** The clock is looked at. */
  Expire: { readonly at: number }
  /** The run that asked has ended. */
  Cancel: { readonly at: number }
}>
export const Command = Data.taggedEnum<Command>()

/** What a run is about to do, at a moment in milliseconds since the epoch. */
export interface Use {
  readonly at: number
  readonly attemptId: string
  readonly requestKind: RequestKind
  readonly actionHash: string
}

/** Somebody answers a question that was changed since they saw it. */
export class SeenEarlier extends Data.TaggedError("SeenEarlier")<{
  readonly approval: RunApproval
  readonly revision: number
}> {}

/** Why an answer does not count. */
export type Refusal = ApprovalSettled | AskerGone | ActionChanged | SeenEarlier

/** The approval after a command. It may have changed although the command was refused: its time was over. */
export interface Outcome<Refused> {
  readonly approval: RunApproval
  readonly refusal?: Refused
}

/**
 * The state machine of an approval (spec 3-runs, States and transitions): `pending` becomes `approved`, `rejected`,
 * `expired` or `cancelled`, and none of these becomes another one.
 */
export const decide = (before: RunApproval, command: Command): Outcome<Refusal> => {
  const approval = asOf(before, command.at)
  switch (command._tag) {
    case "Expire":
      return { approval }
    case "Cancel":
      return { approval: approval.status === "pending" ? cancelled(approval, command.at) : approval }
    case "Decide":
      return answer(approval, command)
  }
}

const cancelled = (approval: RunApproval, at: number): RunApproval =>
  changed(approval, at, { status: "cancelled" })

const answer = (
  approval: RunApproval,
  { answer: status, askerIsAlive, at, by, note, seen }: Extract<Command, { _tag: "Decide" }>
): Outcome<Refusal> => {
  const { actionHash, attemptId, id: approvalId } = approval
  if (approval.status !== "pending") {
    return { approval, refusal: new ApprovalSettled({ approvalId, status: approval.status }) }
  }
  if (!askerIsAlive) {
    return {
      approval: cancelled(approval, at),
      refusal: new AskerGone({ approvalId, attemptId, status: "cancelled" })
    }
  }
  if (seen !== undefined && seen.revision !== approval.revision) {
    return { approval, refusal: new SeenEarlier({ approval, revision: seen.revision }) }
  }
  if (seen !== undefined && seen.actionHash !== actionHash) {
    return { approval, refusal: new ActionChanged({ approvalId, actionHash }) }
  }
  const said = { status, decidedBy: by, decidedAt: iso(at) }
  return { approval: changed(approval, at, note === undefined ? said : { ...said, note }) }
}

/** Lets an action happen that was approved: this one, once, before the time of the approval is over (ruling 27). */
export const use = (before: RunApproval, action: Use): Outcome<ApprovalNotUsable> => {
  const approval = asOf(before, action.at)
  const reason = hindrance(approval, action)
  return reason === undefined
    ? { approval: changed(approval, action.at, { usedAt: iso(action.at) }) }
    : { approval, refusal: new ApprovalNotUsable({ approvalId: approval.id, reason }) }
}

/** What keeps an approval from letting an action happen. That it is for something else comes before how it stands. */
const hindrance = (
  approval: RunApproval,
  { actionHash, at, attemptId, requestKind }: Use
): Unusable | undefined => {
  if (approval.attemptId !== attemptId) return "other-attempt"
  if (approval.requestKind !== requestKind) return "other-kind"
  if (approval.actionHash !== actionHash) return "other-action"
  if (approval.status !== "approved") return approval.status
  if (approval.usedAt !== undefined) return "used"
  return isOver(approval, at) ? "lapsed" : undefined
}
