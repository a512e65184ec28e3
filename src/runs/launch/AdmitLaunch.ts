import { Effect } from "effect"
import type { TaskPriority } from "../../board/tasks/Task.ts"
import { treeOf } from "../../governance/admission/Units.ts"
import type { LaunchSource } from "../../governance/capacity/AdmissionRequest.ts"
import { type AdmissionRequest, capacityOf } from "../../governance/capacity/AdmissionRequest.ts"
import { childNode, rootNode } from "../../governance/capacity/ExecutionTree.ts"
import type { AdmissionOverload, AdmissionPolicyDenied } from "../../governance/queue/Errors.ts"
import { type Admitted, admit } from "../../governance/queue/Units.ts"
import type { ActorContext } from "../../kernel/Actor.ts"
import type { Sql } from "../../storage/Sql.ts"

/** The host that runs what the service starts: this one. */
const thisHost = "local"

/** What is launched, as admission looks at it. */
export interface Applicant {
  readonly attemptId: string
  readonly taskId: string
  readonly priority: TaskPriority
  readonly provider: string
  /** What the agent is said to need, in MiB. */
  readonly memoryMb: number | undefined
  readonly source: LaunchSource
  readonly parentAttemptId: string | undefined
}

/**
 * Asks for room for a launch (spec 3-runs, Admission). It is a node of its own in the tree of the attempt that it
 * continues, or begins a tree at its task.
 */
export const admitLaunch = (
  { attemptId, memoryMb, parentAttemptId, priority, provider, source, taskId }: Applicant,
  by: ActorContext
): Effect.Effect<Admitted, AdmissionOverload | AdmissionPolicyDenied, Sql> =>
  Effect.gen(function* () {
    const parent = parentAttemptId === undefined ? undefined : yield* treeOf(parentAttemptId)
    const tree = parent === undefined ? yield* rootNode(taskId) : yield* childNode(parent)
    const request: AdmissionRequest = {
      schemaVersion: "admission-request/v1",
      source,
      priority,
      workspaceId: by.workspaceId,
      provider,
      hostId: thisHost,
      taskId,
      rootTaskId: tree.rootObjectiveId,
      attemptId,
      capacity: capacityOf({ provider, ...(memoryMb === undefined ? {} : { memoryMb }) }),
      tree
    }
    return yield* admit(request, by)
  })
