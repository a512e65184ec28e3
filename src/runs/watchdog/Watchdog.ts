import { Context, Effect, Layer, Queue } from "effect"
import type { ClaimTakenOver, TaskNotFound } from "../../board/tasks/Errors.ts"
import { requireTask } from "../../board/tasks/Units.ts"
import type { ActorContext } from "../../kernel/Actor.ts"
import { clip } from "../../kernel/Characters.ts"
import { redactText } from "../../kernel/Redaction.ts"
import { now } from "../../kernel/Time.ts"
import * as Worker from "../../kernel/Worker.ts"
import type { Sql } from "../../storage/Sql.ts"
import { Storage } from "../../storage/Storage.ts"
import * as Wakes from "../../storage/Wakes.ts"
import type { AttemptMismatch } from "../attempts/Errors.ts"
import { findAttempt, mismatch, requireAttempt } from "../attempts/Units.ts"
import { RunControl } from "../control/RunControl.ts"
import { RunJournals } from "../journal/RunJournals.ts"
import { FindingDecided, FindingNotFound } from "./Errors.ts"
import type { Findings, Override, OverrideCall } from "./Finding.ts"
import * as FindingRepo from "./FindingRepo.ts"
import { findingLimit, keepFinding, keepOverride } from "./KeepFinding.ts"
import { silenceWatch } from "./LookForSilence.ts"
import { advance, isRepetition, type Streak } from "./Repetition.ts"

/** Why an override does not count. */
export type OverrideRefused =
  | TaskNotFound
  | ClaimTakenOver
  | FindingNotFound
  | AttemptMismatch
  | FindingDecided

/** Watches over the progress of the runs that the service runs itself (spec 3-runs; ruling 33). */
export interface WatchdogService {
  /** What was found about an attempt of a task, and what came of it. */
  readonly findings: (
    taskId: string,
    attemptId: string
  ) => Effect.Effect<Findings, TaskNotFound | AttemptMismatch>
  /** Decides about a finding. A cancel stops the run, and is answered when it has ended. */
  readonly override: (
    taskId: string,
    findingId: string,
    call: OverrideCall,
    by: ActorContext
  ) => Effect.Effect<Override, OverrideRefused>
}

/** How often the clock is looked at, in milliseconds: a machine may sleep meanwhile (ruling 86). */
const longestLook = 5_000

/** How many repetitions wait to be written down at the most. */
const waitingLimit = 1_000

/** The longest name of a tool that a finding shows, in characters. */
const nameLimit = 200

interface Repeated {
  readonly attemptId: string
  readonly streak: Streak
}

/** Writes down a repetition of an attempt that is still there. */
const keepRepetition = ({ attemptId, streak }: Repeated): Effect.Effect<void, never, Sql> =>
  Effect.gen(function* () {
    const attempt = yield* findAttempt(attemptId)
    if (attempt === undefined) return
    const { calls, callsInAll, inputHash } = streak
    const toolName = clip(redactText(streak.toolName), nameLimit)
    yield* keepFinding({
      taskId: attempt.taskId,
      attemptId,
      kind: "repetition",
      episode: callsInAll,
      evidence: { toolName, calls, inputHash }
    })
  })

/** A finding of a task that nobody has decided about, for the attempt that is named. */
const requireOpen = (
  taskId: string,
  findingId: string,
  { attemptId }: OverrideCall
): Effect.Effect<FindingRepo.StoredFinding, OverrideRefused, Sql> =>
  Effect.gen(function* () {
    yield* requireTask(taskId)
    const found = yield* FindingRepo.find(taskId, findingId)
    if (found === undefined) return yield* new FindingNotFound({ findingId })
    if (found.finding.attemptId !== attemptId)
      return yield* mismatch({ taskId, attemptId }, "another-finding")
    if (found.override !== undefined) return yield* new FindingDecided({ findingId })
    return found
  })

export class Watchdog extends Context.Tag("muster/Watchdog")<Watchdog, WatchdogService>() {
  static readonly layer = Layer.scoped(
    Watchdog,
    Effect.gen(function* () {
      const storage = yield* Storage
      const journals = yield* RunJournals
      const control = yield* RunControl
      /** What each run called last; one that is over is let go with the next look. */
      const streaks = new Map<string, Streak>()
      const repeated = yield* Queue.dropping<Repeated>(waitingLimit)
      /** The findings about which somebody is deciding. */
      const underway = new Set<string>()

      yield* journals.listen((attemptId, facts) => {
        let streak = streaks.get(attemptId)
        for (const fact of facts) {
          const after = advance(streak, fact)
          if (after === undefined || after === streak) continue
          streak = after
          streaks.set(attemptId, after)
          if (isRepetition(after)) repeated.unsafeOffer({ attemptId, streak: after })
        }
      })
      yield* Worker.start(
        "watchdog-repetitions",
        Effect.flatMap(Queue.take(repeated), (one) => storage.write(keepRepetition(one)))
      )

      const look = silenceWatch(storage, (attemptIds) => {
        for (const attemptId of streaks.keys()) if (!attemptIds.has(attemptId)) streaks.delete(attemptId)
      })
      yield* Wakes.startDue("watchdog-silences", [], () =>
        Effect.zipWith(look, now, (next, at) => Math.min(next, at + longestLook))
      )

      /** Decides alone: a stop takes time, and of two decisions at once the first counts. */
      const alone = <A, E, R>(findingId: string, decision: Effect.Effect<A, E, R>) =>
        Effect.suspend((): Effect.Effect<A, E | FindingDecided, R> => {
          if (underway.has(findingId)) return new FindingDecided({ findingId })
          underway.add(findingId)
          return Effect.ensuring(
            decision,
            Effect.sync(() => underway.delete(findingId))
          )
        })

      return Watchdog.of({
        findings: Effect.fn("Watchdog.findings")(function* (taskId, attemptId) {
          yield* look
          const unit = Effect.gen(function* () {
            yield* requireTask(taskId)
            yield* requireAttempt(taskId, attemptId)
            return yield* FindingRepo.ofAttempt(attemptId, findingLimit)
          })
          const found = yield* storage.read(unit)
          return {
            findings: found.map(({ finding }) => finding),
            actions: found.flatMap(({ action = [] }) => action),
            overrides: found.flatMap(({ override = [] }) => override)
          }
        }),
        override: Effect.fn("Watchdog.override")(function* (taskId, findingId, call, by) {
          const open = requireOpen(taskId, findingId, call)
          yield* storage.read(open)
          return yield* alone(
            findingId,
            Effect.gen(function* () {
              if (call.resolution === "cancel") {
                yield* storage.read(open)
                yield* control.stop(taskId, call.attemptId, by)
              }
              return yield* storage.write(Effect.flatMap(open, (found) => keepOverride(found, call, by)))
            })
          )
        })
      })
    })
  )
}
