import { Context, Effect, Layer } from "effect"
import type { ActorContext } from "../../kernel/Actor.ts"
import { iso, now } from "../../kernel/Time.ts"
import * as Journal from "../../storage/events/Journal.ts"
import { Storage } from "../../storage/Storage.ts"
import type { ClaimTakenOver, TaskNotFound } from "../tasks/Errors.ts"
import { requireTask, requireWritable } from "../tasks/Units.ts"
import { type Checkpoint, lifetime } from "./Checkpoint.ts"
import * as CheckpointRepo from "./CheckpointRepo.ts"
import { CheckpointNotFound } from "./Errors.ts"
import { CheckpointDeleted, CheckpointResumed, CheckpointSaved } from "./Events.ts"

/** Where the work on each task had got to, for whoever takes it up again. */
export interface CheckpointsService {
  /** Saves a state, without its secrets, for 24 hours; it takes the place of the last one. */
  readonly save: (
    taskId: string,
    state: unknown,
    by: ActorContext
  ) => Effect.Effect<Checkpoint, TaskNotFound | ClaimTakenOver>
  /** Reads the checkpoint and counts that. */
  readonly resume: (
    taskId: string,
    by: ActorContext
  ) => Effect.Effect<Checkpoint, TaskNotFound | CheckpointNotFound>
  /** Reads it without counting. */
  readonly peek: (taskId: string) => Effect.Effect<Checkpoint, TaskNotFound | CheckpointNotFound>
  readonly remove: (
    taskId: string,
    by: ActorContext
  ) => Effect.Effect<void, TaskNotFound | ClaimTakenOver | CheckpointNotFound>
}

export class Checkpoints extends Context.Tag("muster/Checkpoints")<Checkpoints, CheckpointsService>() {
  static readonly layer = Layer.effect(
    Checkpoints,
    Effect.map(Storage, (storage) => {
      const notFound = (taskId: string) => new CheckpointNotFound({ taskId, resource: "checkpoint" })

      return Checkpoints.of({
        save: Effect.fn("Checkpoints.save")(function* (taskId, state, by) {
          const unit = Effect.gen(function* () {
            yield* requireWritable(taskId, by)
            const at = yield* now
            const checkpoint: Checkpoint = {
              taskId,
              state,
              createdAt: iso(at),
              expiresAt: iso(at + lifetime),
              resumeCount: 0
            }
            yield* CheckpointRepo.removeExpired(at)
            yield* CheckpointRepo.save(checkpoint)
            yield* Journal.record(new CheckpointSaved({ resourceId: taskId, taskId }), by)
            return checkpoint
          })
          return yield* storage.write(unit)
        }),
        resume: Effect.fn("Checkpoints.resume")(function* (taskId, by) {
          const unit = Effect.gen(function* () {
            yield* requireTask(taskId)
            const checkpoint = yield* CheckpointRepo.resume(taskId, yield* now)
            if (checkpoint === undefined) return yield* notFound(taskId)
            const { resumeCount } = checkpoint
            yield* Journal.record(new CheckpointResumed({ resourceId: taskId, taskId, resumeCount }), by)
            return checkpoint
          })
          return yield* storage.write(unit)
        }),
        peek: Effect.fn("Checkpoints.peek")(function* (taskId) {
          const query = Effect.gen(function* () {
            yield* requireTask(taskId)
            const checkpoint = yield* CheckpointRepo.find(taskId, yield* now)
            return checkpoint ?? (yield* notFound(taskId))
          })
          return yield* storage.read(query)
        }),
        remove: Effect.fn("Checkpoints.remove")(function* (taskId, by) {
          const unit = Effect.gen(function* () {
            yield* requireWritable(taskId, by)
            const removed = yield* CheckpointRepo.remove(taskId, yield* now)
            if (!removed) return yield* notFound(taskId)
            yield* Journal.record(new CheckpointDeleted({ resourceId: taskId, taskId }), by)
          })
          yield* storage.write(unit)
        })
      })
    })
  )
}
