import { Schema } from "effect"
import { Timestamp } from "../../kernel/Time.ts"
import { Checkpoint } from "../checkpoints/Checkpoint.ts"
import { TaskNode } from "../dependencies/Dependency.ts"
import { Observation } from "../observations/Observation.ts"
import { Task } from "../tasks/Task.ts"
import { Progress } from "../tasks/TaskParts.ts"

/** The most observations that a context has: the newest. */
export const observationLimit = 200

/** The most approvals that a context shows: the newest that wait. */
export const approvalLimit = 20

/** An approval that a run of the task waits for, in short: who asks for what, and until when. */
export const WaitingApproval = Schema.Struct({
  id: Schema.String,
  attemptId: Schema.String,
  agentId: Schema.String,
  requestKind: Schema.String,
  action: Schema.String,
  riskClass: Schema.String,
  createdAt: Timestamp,
  expiresAt: Timestamp
}).annotations({ identifier: "WaitingApproval" })
export type WaitingApproval = typeof WaitingApproval.Type

/** Everything that whoever takes up a task needs to know (spec 1-core, `GET /tasks/:id/context`; decision Q25). */
export const TaskContext = Schema.Struct({
  task: Task,
  dependencies: Schema.Struct({ depends_on: Schema.Array(TaskNode), blocks: Schema.Array(TaskNode) }),
  observations: Schema.Array(Observation),
  checkpoint: Schema.optionalWith(Checkpoint, { exact: true }),
  progress: Schema.optionalWith(Progress, { exact: true }),
  waitingApprovals: Schema.optionalWith(
    Schema.Struct({ count: Schema.Int, newest: Schema.Array(WaitingApproval) }),
    { exact: true }
  )
}).annotations({ identifier: "TaskContext" })
