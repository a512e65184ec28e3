import { Context, Effect, Layer } from "effect"
import type { Revised } from "../../kernel/Revision.ts"
import { now } from "../../kernel/Time.ts"
import { Storage } from "../../storage/Storage.ts"
import { checkpointOf } from "../checkpoints/Units.ts"
import { neighboursOf } from "../dependencies/Units.ts"
import { newestObservationsOf } from "../observations/Units.ts"
import type { TaskNotFound } from "../tasks/Errors.ts"
import { requireTask, shownTask } from "../tasks/Units.ts"
import { approvalLimit, observationLimit, type TaskContext, type WaitingApproval } from "./TaskContext.ts"
import { WaitingApprovals, type WaitingApprovalsService } from "./WaitingApprovals.ts"

/** What is known about each task, put together on one snapshot. */
export interface TaskContextsService {
  /** The context as JSON, with the id and the revision of its task. */
  readonly get: (taskId: string) => Effect.Effect<Revised, TaskNotFound>
}

export class TaskContexts extends Context.Tag("muster/TaskContexts")<TaskContexts, TaskContextsService>() {
  static readonly layer = Layer.effect(
    TaskContexts,
    Effect.zipWith(Storage, WaitingApprovals, (storage, approvals) =>
      TaskContexts.of({ get: (taskId) => storage.read(contextOf(taskId, approvals)) })
    )
  )
}

const contextOf = (taskId: string, approvals: WaitingApprovalsService) =>
  Effect.gen(function* () {
    const found = yield* requireTask(taskId)
    const { task } = found
    const checkpoint = yield* checkpointOf(taskId, yield* now)
    const waiting = yield* approvals.of(taskId, approvalLimit)
    const context: typeof TaskContext.Type = {
      task: yield* shownTask(found),
      dependencies: yield* neighboursOf(taskId),
      observations: yield* newestObservationsOf(taskId, observationLimit),
      ...(checkpoint === undefined ? {} : { checkpoint }),
      ...(task.progress === undefined ? {} : { progress: task.progress }),
      ...(waiting.total === 0
        ? {}
        : { waitingApprovals: { count: waiting.total, newest: waiting.items.map(inShort) } })
    }
    return { id: taskId, revision: task.revision, json: JSON.stringify(context) }
  })

/** What a context says of an approval. */
const inShort = (approval: WaitingApproval): WaitingApproval => ({
  id: approval.id,
  attemptId: approval.attemptId,
  agentId: approval.agentId,
  requestKind: approval.requestKind,
  action: approval.action,
  riskClass: approval.riskClass,
  createdAt: approval.createdAt,
  expiresAt: approval.expiresAt
})
