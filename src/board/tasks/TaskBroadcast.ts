import { Effect } from "effect"
import type { Broadcast, Told } from "../../storage/events/Broadcast.ts"
import * as TaskRepo from "./TaskRepo.ts"

/** `task:updated {task}` with the task as it is now, after every change; `task:deleted {taskId}` when it is gone. */
export const taskBroadcast: Broadcast = {
  resource: "task",
  render: ({ resourceId }) =>
    Effect.flatMap(
      TaskRepo.find(resourceId),
      (found): Effect.Effect<Told> =>
        found === undefined
          ? Effect.succeed({ message: { type: "task:deleted", taskId: resourceId } })
          : Effect.map(TaskRepo.shown(found), (task) => ({ message: { type: "task:updated", task } }))
    )
}

/** `board:reordered {status}`: the order of a column changed, none of its cards did. */
export const boardBroadcast: Broadcast = {
  resource: "board",
  render: ({ resourceId }) => Effect.succeed({ message: { type: "board:reordered", status: resourceId } })
}
