import { Cause, Effect, type Scope } from "effect"
import { findTask } from "../../board/tasks/Units.ts"
import { Standing } from "../../identity/Standing.ts"
import { type ActorContext, system } from "../../kernel/Actor.ts"
import { now } from "../../kernel/Time.ts"
import type * as Worker from "../../kernel/Worker.ts"
import type { Sql } from "../../storage/Sql.ts"
import { Storage } from "../../storage/Storage.ts"
import * as Wakes from "../../storage/Wakes.ts"
import { findAttempt, newestOf } from "../attempts/Units.ts"
import { Launches, type Origin, type StartRefused } from "../launch/Launches.ts"
import { wishOf } from "../launch/PreparedLaunch.ts"
import { RecoveryUnwanted } from "./Errors.ts"
import { recoveryStream } from "./Events.ts"
import { carryOut } from "./KeepRecovery.ts"
import * as RecoveryRepo from "./RecoveryRepo.ts"
import type { Recovery } from "./RunRecovery.ts"
import { Command } from "./Transition.ts"

/** How many recoveries are begun in one unit. */
const pieceSize = 20

/** How many are launched at once: each looks at a workspace first. */
const concurrency = 4

/** How often the clock is looked at while something waits, in milliseconds: a machine may sleep meanwhile (ruling 86). */
const longestLook = 5_000

/** How many of the newest attempts at a task are looked through: the steps of workflows stand among them. */
const attemptsLooked = 50

/** Marks what is due as being launched, and gives it with what a server that died was launching. */
const beginDue = Effect.gen(function* () {
  const at = yield* now
  const due = yield* RecoveryRepo.due(at, pieceSize)
  return yield* Effect.forEach(due, (recovery) =>
    Effect.map(carryOut(recovery, Command.Begin({ at }), system), (begun) => begun ?? recovery)
  )
})

/** Why a recovery is no longer wanted: its task is not worked on any more, or somebody has gone on with it. */
const needlessness = ({ parentAttemptId, taskId }: Recovery): Effect.Effect<string | undefined, never, Sql> =>
  Effect.gen(function* () {
    const found = yield* findTask(taskId)
    if (found === undefined) return "The task is gone"
    const { archived, status } = found.task
    if (archived) return "The task is archived"
    if (status !== "in-progress") return `The task is ${status}`
    const newest = (yield* newestOf(taskId, attemptsLooked)).find(({ source }) => source !== "workflow")
    return newest === undefined || newest.id === parentAttemptId
      ? undefined
      : `Attempt ${newest.id} was started meanwhile`
  })

/** The launch of a recovery: it is looked at again in the unit that launches it, which notes the attempt too. */
const originOf = (id: string, by: ActorContext): Origin<RecoveryUnwanted> => ({
  source: "recovery",
  require: Effect.gen(function* () {
    const recovery = yield* RecoveryRepo.find(id)
    if (recovery?.state !== "launching") return yield* new RecoveryUnwanted({ reason: "It was cancelled" })
    const reason = yield* needlessness(recovery)
    if (reason !== undefined) return yield* new RecoveryUnwanted({ reason })
  }),
  note: ({ attemptId: childAttemptId }) =>
    Effect.gen(function* () {
      const recovery = yield* RecoveryRepo.find(id)
      if (recovery !== undefined) {
        yield* carryOut(recovery, Command.Launch({ at: yield* now, childAttemptId }), by)
      }
    })
})

/** What becomes of a recovery whose launch was refused: what may be otherwise in half a minute is tried again. */
const commandAfter = (refusal: StartRefused | RecoveryUnwanted, at: number): Command => {
  switch (refusal._tag) {
    case "RecoveryUnwanted":
      return Command.Cancel({ at, reason: refusal.reason })
    case "AttemptActive":
      return Command.Cancel({ at, reason: `Attempt ${refusal.attemptId} was started meanwhile` })
    case "AdmissionOverload":
      return Command.Postpone({ at, reason: "There is no room, and none to wait for it" })
    case "WorkspaceUnreadable":
      return Command.Postpone({ at, reason: "The workspace can't be read" })
    case "LaunchRefused": {
      const [first] = refusal.blockers
      const reason = first?.message ?? "It can't be launched as it stands"
      return refusal.blockers.every(({ code }) => code === "circuit-open")
        ? Command.Postpone({ at, reason })
        : Command.Fail({ at, reason })
    }
    default:
      return Command.Fail({ at, reason: `It could not be launched: ${refusal._tag}` })
  }
}

/** Launches what is due, for the life of the scope; `hear` takes in the ends of attempts first. */
export const startLaunches = (
  hear: Effect.Effect<void>
): Effect.Effect<void, never, Launches | Standing | Storage | Worker.Workers | Scope.Scope> =>
  Effect.gen(function* () {
    const storage = yield* Storage
    const standing = yield* Standing
    const launches = yield* Launches

    const settle = (id: string, commandAt: (at: number) => Command) =>
      storage.write(
        Effect.gen(function* () {
          const recovery = yield* RecoveryRepo.find(id)
          if (recovery !== undefined) yield* carryOut(recovery, commandAt(yield* now), system)
        })
      )

    const launch = ({ id, parentAttemptId, taskId }: Recovery) =>
      Effect.gen(function* () {
        const parent = yield* storage.read(findAttempt(parentAttemptId))
        // It went with its task, and the recovery with it.
        if (parent === undefined) return
        const by = yield* standing.now(parent.requestedBy)
        if (!by.permissions.has("task:write")) {
          const reason = "Whoever asked for the attempt is no longer allowed to"
          return yield* settle(id, (at) => Command.Fail({ at, reason }))
        }
        const wish = yield* storage.read(wishOf(parentAttemptId))
        yield* launches.launch(
          taskId,
          { ...wish, agent: parent.agent, parentAttemptId },
          originOf(id, by),
          by
        )
      }).pipe(
        Effect.catchAll((refusal) => settle(id, (at) => commandAfter(refusal, at))),
        Effect.catchAllCause((cause) =>
          Cause.isInterrupted(cause)
            ? Effect.failCause(cause)
            : Effect.logError("A recovery could not be launched", cause).pipe(
                Effect.annotateLogs({ recoveryId: id }),
                Effect.zipRight(settle(id, (at) => Command.Postpone({ at, reason: "Its launch broke" })))
              )
        )
      )

    yield* Wakes.startDue("run-recoveries", [recoveryStream], () =>
      Effect.gen(function* () {
        for (;;) {
          const at = yield* now
          const next = yield* storage.read(RecoveryRepo.nextDue)
          if (next === undefined || next > at) {
            return next === undefined ? undefined : Math.min(next, at + longestLook)
          }
          yield* hear
          const due = yield* storage.write(beginDue)
          yield* Effect.forEach(due, launch, { concurrency, discard: true })
        }
      })
    )
  })
