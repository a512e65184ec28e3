import { Schema } from "effect"
import { Checkpoint } from "../checkpoints/Checkpoint.ts"
import { TaskNode } from "../dependencies/Dependency.ts"
import { Observation } from "../observations/Observation.ts"
import { Task } from "../tasks/Task.ts"
import { Progress } from "../tasks/TaskParts.ts"
import { WaitingApproval } from "./WaitingApprovals.ts"

/** The most observations that a context has: the newest. */
export const observationLimit = 200

/** The most approvals that a context shows: the newest that wait. */
export const approvalLimit = 20

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
