import { Layer } from "effect"
import { WaitingApprovals } from "../board/Board.ts"
import type { TaskRemoval } from "../board/tasks/TaskRemoval.ts"
import { Authorization } from "../kernel/Authorization.ts"
import { seeing } from "../kernel/Sight.ts"
import type { Broadcast } from "../storage/events/Broadcast.ts"
import type { Retention } from "../storage/Retention.ts"
import { Holders } from "./admission/Holders.ts"
import { AdmissionHttp } from "./admission/Http.ts"
import { KeepLeases } from "./admission/KeepLeases.ts"
import { Reservations } from "./admission/Reservations.ts"
import { reservationRetention } from "./admission/Retention.ts"
import { approvalBroadcast } from "./approvals/ApprovalBroadcast.ts"
import { RunApprovalsHttp } from "./approvals/Http.ts"
import { RunApprovals } from "./approvals/RunApprovals.ts"
import * as Approval from "./approvals/Units.ts"
import { DispatchQueue } from "./queue/DispatchQueue.ts"
import { QueueHttp } from "./queue/Http.ts"
import { Queue } from "./queue/Queue.ts"
import { entryRetention } from "./queue/Units.ts"

export { Holders } from "./admission/Holders.ts"
export { ApprovalOutcomes, AskerAlive } from "./approvals/Askers.ts"
export { Dispatch, type Dispatcher } from "./queue/Dispatch.ts"

/** The handlers of governance. */
export const GovernanceHttp = Layer.mergeAll(
  AdmissionHttp.pipe(seeing(Authorization, Reservations)),
  QueueHttp.pipe(seeing(Authorization, Queue)),
  RunApprovalsHttp.pipe(seeing(Authorization, RunApprovals))
)

/** The services of governance: who may do what, and whether there is room. */
export const Governance = Layer.mergeAll(
  DispatchQueue,
  KeepLeases,
  Queue.layer,
  Reservations.layer,
  RunApprovals.layer
).pipe(Layer.provideMerge(Holders.layer))

/** What governance answers to those below it, and what its rooms do when a task is deleted. */
export const GovernanceAnswers = Layer.succeed(WaitingApprovals, { of: Approval.pendingOf })

export const governanceRemovals: ReadonlyArray<TaskRemoval> = [Approval.taskRemoval]

/** What governance tells the live stream. */
export const governanceBroadcasts: ReadonlyArray<Broadcast> = [approvalBroadcast]

/** How long governance keeps what ended. */
export const governanceRetentions: ReadonlyArray<Retention> = [
  Approval.approvalRetention,
  entryRetention,
  reservationRetention
]
