import { Schema } from "effect"
import { TaskPriority } from "../../board/tasks/Task.ts"
import { optional } from "../../kernel/Optional.ts"
import { Capacity, type Demand } from "./Capacity.ts"
import { ExecutionTreeIdentity } from "./ExecutionTree.ts"

/** What makes a run start. */
export const LaunchSource = Schema.Literal(
  "manual",
  "workflow",
  "scheduled",
  "watcher",
  "recovery",
  "trigger",
  "goal"
)
export type LaunchSource = typeof LaunchSource.Type

/**
 * What a launch asks for. It holds ids and numbers alone: no prompt, no argument of a tool, no credential. `rootTaskId`
 * is the task at the root of the tree; a workflow run reserves first, and its steps name that as `rootReservationId`.
 */
export const AdmissionRequest = Schema.Struct({
  schemaVersion: Schema.Literal("admission-request/v1"),
  source: LaunchSource,
  priority: TaskPriority,
  workspaceId: Schema.String,
  provider: Schema.String,
  hostId: Schema.String,
  taskId: Schema.String,
  rootTaskId: Schema.String,
  attemptId: Schema.String,
  workflowRunId: optional(Schema.String),
  workflowStepId: optional(Schema.String),
  rootReservationId: optional(Schema.String),
  capacity: Capacity,
  tree: ExecutionTreeIdentity
})
export type AdmissionRequest = typeof AdmissionRequest.Type

/** What a run takes: itself, a process unless an external agent does the work, and the memory that its agent is given. */
export const capacityOf = ({
  memoryMb = 0,
  provider
}: {
  readonly provider: string
  readonly memoryMb?: number
}): Capacity => ({ runs: 1, processes: provider === "gateway" ? 0 : 1, memoryMb })

/** What a request asks for, and where it counts. */
export const demandOf = ({ capacity, hostId, provider, workspaceId }: AdmissionRequest): Demand => ({
  capacity,
  hostId,
  provider,
  workspaceId
})
