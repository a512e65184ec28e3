import { Context, Effect, Layer } from "effect"
import type { Revised } from "../../kernel/Revision.ts"
import { now } from "../../kernel/Time.ts"
import { Storage } from "../../storage/Storage.ts"
import * as CheckpointRepo from "../checkpoints/CheckpointRepo.ts"
import { edgesOf } from "../dependencies/DependencyRepo.ts"
import * as ObservationRepo from "../observations/ObservationRepo.ts"
import type { TaskNotFound } from "../tasks/Errors.ts"
import { requireTask } from "../tasks/TaskChange.ts"
import { observationLimit, type TaskContext } from "./TaskContext.ts"

/** What is known about each task, put together on one snapshot. */
export class TaskContexts extends Context.Tag("muster/TaskContexts")<
  TaskContexts,
  {
    /** The context as JSON, with the id and the revision of its task. */
    readonly get: (taskId: string) => Effect.Effect<Revised, TaskNotFound>
  }
>() {
  static readonly layer = Layer.effect(
    TaskContexts,
    Effect.map(Storage, (storage) => TaskContexts.of({ get: (taskId) => storage.read(contextOf(taskId)) }))
  )
}

const contextOf = (taskId: string) =>
  Effect.gen(function* () {
    const { position, task } = yield* requireTask(taskId)
    const checkpoint = yield* CheckpointRepo.find(taskId, yield* now)
    const context: typeof TaskContext.Type = {
      task: { ...task, position },
      dependencies: yield* edgesOf(taskId),
      observations: yield* ObservationRepo.newestOf(taskId, observationLimit),
      ...(checkpoint === undefined ? {} : { checkpoint }),
      ...(task.progress === undefined ? {} : { progress: task.progress })
    }
    return { id: taskId, revision: task.revision, json: JSON.stringify(context) }
  })
