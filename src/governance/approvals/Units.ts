import { Effect } from "effect"
import type { TaskRemoval } from "../../board/tasks/TaskRemoval.ts"
import { type ActorContext, system } from "../../kernel/Actor.ts"
import { newId } from "../../kernel/Ids.ts"
import type { Page } from "../../kernel/Paging.ts"
import { now } from "../../kernel/Time.ts"
import type { Retention } from "../../storage/Retention.ts"
import type { Sql } from "../../storage/Sql.ts"
import { ApprovalNotFound, type ApprovalNotUsable, RequestReused, TooManyApprovals } from "./Errors.ts"
import { begin, keep } from "./KeepApproval.ts"
import { type ApprovalRequest, create, pendingLimit, requestIdOf } from "./Request.ts"
import { actionHashOf, asOf, type RunApproval } from "./RunApproval.ts"
import * as RunApprovalRepo from "./RunApprovalRepo.ts"
import { Command, decide, type Use, use } from "./Transition.ts"

/*
 * What other rooms may use of approvals inside their own units: they ask, and before they act they use what was approved.
 * In between they hear by `ApprovalOutcomes`, or look with `findApproval`.
 */

/** An approval as it is at this moment. */
export const findApproval = (id: string): Effect.Effect<RunApproval | undefined, never, Sql> =>
  Effect.zipWith(RunApprovalRepo.find(id), now, (found, at) => found && asOf(found, at))

/** What an elicitation was answered. */
export const responseTo = RunApprovalRepo.responseTo

/**
 * Asks a person. The same request of the same attempt is asked once: it gives the approval that there is, whatever became
 * of it. Another action under the same request id is refused, for the answer would be to something else.
 */
export const requestApproval = (
  request: ApprovalRequest,
  by: ActorContext
): Effect.Effect<RunApproval, RequestReused | TooManyApprovals, Sql> =>
  Effect.gen(function* () {
    const { attemptId, exact, requestKind } = request
    const at = yield* now
    const asked = yield* RunApprovalRepo.ofRequest(attemptId, requestIdOf(request.providerRequestId))
    if (asked !== undefined) {
      return asked.requestKind === requestKind && asked.actionHash === actionHashOf(exact)
        ? asOf(asked, at)
        : yield* new RequestReused({ approvalId: asked.id, attemptId })
    }
    const { total } = yield* RunApprovalRepo.newest({ attemptId, status: "pending" }, at, 1)
    if (total >= pendingLimit) return yield* new TooManyApprovals({ attemptId, limit: pendingLimit })
    const approval = create(request, {
      id: yield* newId("approval"),
      at,
      workspaceId: by.workspaceId
    })
    yield* begin(approval, by)
    return approval
  })

/**
 * Lets an approved action happen: of two that want to use one approval, one does. Whatever is refused changes nothing
 * (ruling 27).
 */
export const useApproval = (
  id: string,
  action: Omit<Use, "at">,
  by: ActorContext
): Effect.Effect<RunApproval, ApprovalNotFound | ApprovalNotUsable, Sql> =>
  Effect.gen(function* () {
    const before = yield* RunApprovalRepo.find(id)
    if (before === undefined) return yield* new ApprovalNotFound({ approvalId: id })
    const { approval, refusal } = use(before, { ...action, at: yield* now })
    if (refusal !== undefined) return yield* refusal
    yield* keep(before, approval, by)
    return approval
  })

/** The end of an attempt: what still waits is cancelled, for nobody is there to hear an answer. Gives how many. */
export const cancelApprovalsOf = (attemptId: string): Effect.Effect<number, never, Sql> =>
  Effect.gen(function* () {
    const at = yield* now
    const waiting = yield* RunApprovalRepo.waitingOf(attemptId)
    for (const before of waiting) {
      yield* keep(before, decide(before, Command.Cancel({ at })).approval, system)
    }
    return waiting.length
  })

/** The newest approvals that a task waits for at this moment, and how many it waits for in all. */
export const pendingOf = (taskId: string, limit: number): Effect.Effect<Page<RunApproval>, never, Sql> =>
  Effect.flatMap(now, (at) => RunApprovalRepo.newest({ taskId, status: "pending" }, at, limit))

/**
 * What people were asked, and what they answered: 90 days, and the newest 10,000 for longer. One that waits, or that may
 * still be used, is never deleted; that it was decided, and by whom, stays in the audit trail for good.
 */
export const approvalRetention: Retention = {
  name: "approvals",
  span: { days: 90, count: 10_000 },
  forget: RunApprovalRepo.forgetOld
}

/** What was asked for a task goes with it. Whoever still waited is ended by its own room. */
export const taskRemoval: TaskRemoval = { forget: RunApprovalRepo.removeAllOf }
