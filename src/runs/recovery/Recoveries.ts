import { Context, Effect, Layer } from "effect"
import type { TaskNotFound } from "../../board/tasks/Errors.ts"
import { requireTask } from "../../board/tasks/Units.ts"
import type { ActorContext } from "../../kernel/Actor.ts"
import { now } from "../../kernel/Time.ts"
import * as Projection from "../../storage/events/Projection.ts"
import { Storage } from "../../storage/Storage.ts"
import { RecoveryNotPending } from "./Errors.ts"
import { ends } from "./HearEnds.ts"
import { carryOut } from "./KeepRecovery.ts"
import { startLaunches } from "./LaunchRecoveries.ts"
import * as RecoveryRepo from "./RecoveryRepo.ts"
import { type RunRecovery, shown } from "./RunRecovery.ts"
import { Command } from "./Transition.ts"

/** What follows attempts that failed or were interrupted (spec 3-runs, States and transitions; ruling 31). */
export interface RecoveriesService {
  /** The last recovery of a task, or null when it never had one. */
  readonly latest: (taskId: string) => Effect.Effect<RunRecovery | null, TaskNotFound>
  /** Cancels the recovery of exactly this attempt, while its child is not launched. */
  readonly cancel: (
    taskId: string,
    attemptId: string,
    by: ActorContext
  ) => Effect.Effect<RunRecovery, TaskNotFound | RecoveryNotPending>
}

export class Recoveries extends Context.Tag("muster/Recoveries")<Recoveries, RecoveriesService>() {
  static readonly layer = Layer.scoped(
    Recoveries,
    Effect.gen(function* () {
      const storage = yield* Storage
      const { catchUp } = yield* Projection.keep(ends)
      yield* startLaunches(catchUp)
      return Recoveries.of({
        latest: Effect.fn("Recoveries.latest")(function* (taskId) {
          yield* catchUp
          const found = yield* storage.read(
            Effect.zipRight(requireTask(taskId), RecoveryRepo.latestOf(taskId))
          )
          return found === undefined ? null : shown(found)
        }),
        cancel: Effect.fn("Recoveries.cancel")(function* (taskId, attemptId, by) {
          yield* catchUp
          const unit = Effect.gen(function* () {
            yield* requireTask(taskId)
            const found = yield* RecoveryRepo.latestOf(taskId)
            if (found === undefined)
              return yield* new RecoveryNotPending({ taskId, attemptId, recovered: null })
            const command = Command.Cancel({ at: yield* now, reason: "Somebody cancelled it" })
            const isMeant = found.parentAttemptId === attemptId
            const cancelled = isMeant ? yield* carryOut(found, command, by) : undefined
            if (cancelled !== undefined) return shown(cancelled)
            const recovered = { attemptId: found.parentAttemptId, state: found.state }
            return yield* new RecoveryNotPending({ taskId, attemptId, recovered })
          })
          return yield* storage.write(unit)
        })
      })
    })
  )
}
