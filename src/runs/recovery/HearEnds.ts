import { Effect } from "effect"
import { system } from "../../kernel/Actor.ts"
import { newId } from "../../kernel/Ids.ts"
import { now } from "../../kernel/Time.ts"
import { eventReader } from "../../storage/events/Event.ts"
import type { Projection } from "../../storage/events/Projection.ts"
import type { Sql } from "../../storage/Sql.ts"
import type { Attempt } from "../attempts/Attempt.ts"
import { AttemptEnded, AttemptQueued, AttemptStarted } from "../attempts/Events.ts"
import { findAttempt } from "../attempts/Units.ts"
import { begin, carryOut } from "./KeepRecovery.ts"
import { planRecovery } from "./PlanRecovery.ts"
import * as RecoveryRepo from "./RecoveryRepo.ts"
import { Command } from "./Transition.ts"

const read = eventReader([AttemptEnded, AttemptStarted, AttemptQueued])

/** How many recoveries in a row led to an attempt. */
const recoveriesBefore = ({ parentAttemptId, source }: Attempt): Effect.Effect<number, never, Sql> =>
  source === "recovery" && parentAttemptId !== null
    ? Effect.map(RecoveryRepo.ofParent(parentAttemptId), (found) => found?.attemptNumber ?? 0)
    : Effect.succeed(0)

const reasons = {
  failed: "The attempt failed",
  interrupted: "The attempt was interrupted"
} as const

/** Plans what follows an attempt that ended. What went with its task has nothing to be recovered. */
const plan = (ended: AttemptEnded): Effect.Effect<void, never, Sql> =>
  Effect.gen(function* () {
    const attempt = yield* findAttempt(ended.resourceId)
    if (attempt === undefined || (yield* RecoveryRepo.ofParent(attempt.id)) !== undefined) return
    const next = planRecovery(ended, yield* recoveriesBefore(attempt))
    if (next._tag === "None") return
    const at = yield* now
    const { attemptNumber } = next
    const isPlanned = next._tag === "Schedule"
    const reason = reasons[ended.status === "failed" ? "failed" : "interrupted"]
    yield* begin(
      {
        id: yield* newId("recovery"),
        taskId: attempt.taskId,
        parentAttemptId: attempt.id,
        childAttemptId: null,
        state: isPlanned ? "scheduled" : "exhausted",
        reason: isPlanned ? reason : `${reason}, and it was recovered ${attemptNumber} times before`,
        attemptNumber,
        scheduledFor: isPlanned ? (attempt.endedAt ?? at) + next.delayMs : null,
        createdAt: at,
        updatedAt: at
      },
      system
    )
  })

/** Drops the recovery of a task on which somebody has started another attempt. */
const giveWay = ({ resourceId, source, taskId }: AttemptStarted | AttemptQueued) =>
  Effect.gen(function* () {
    if (source === "recovery" || source === "workflow") return
    const recovery = yield* RecoveryRepo.latestOf(taskId)
    if (recovery === undefined) return
    const reason = `Attempt ${resourceId} was started meanwhile`
    yield* carryOut(recovery, Command.Cancel({ at: yield* now, reason }), system)
  })

/**
 * Hears of each end of an attempt once, in the unit that moves the cursor past it: a server that dies loses none of them
 * and plans none twice.
 */
export const ends: Projection = {
  name: "run-recoveries",
  resources: ["attempt"],
  apply: (event) =>
    Effect.suspend(() => {
      const happened = read(event)
      if (happened === undefined) return Effect.void
      return happened instanceof AttemptEnded ? plan(happened) : giveWay(happened)
    })
}
