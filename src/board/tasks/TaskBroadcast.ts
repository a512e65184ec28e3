import { Effect } from "effect"
import type { Broadcast } from "../../storage/events/Broadcast.ts"
import * as TaskRepo from "./TaskRepo.ts"

/** `task:updated {task}` with the task as it is now, after every change; `task:deleted {taskId}` when it is gone. */
export const taskBroadcast: Broadcast = {
  resource: "task",
  render: ({ resourceId }) =>
    Effect.map(TaskRepo.find(resourceId), (found) => ({
      message:
        found === undefined
          ? { type: "task:deleted", taskId: resourceId }
          : { type: "task:updated", task: { ...found.task, position: found.position } }
    }))
}

/** `board:reordered {status}`: the order of a column changed, none of its cards did. */
export const boardBroadcast: Broadcast = {
  resource: "board",
  render: ({ resourceId }) => Effect.succeed({ message: { type: "board:reordered", status: resourceId } })
}
