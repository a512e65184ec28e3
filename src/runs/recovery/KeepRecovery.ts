import { Effect } from "effect"
import type { ActorContext } from "../../kernel/Actor.ts"
import type { Event } from "../../storage/events/Event.ts"
import * as Journal from "../../storage/events/Journal.ts"
import type { Sql } from "../../storage/Sql.ts"
import {
  RecoveryCancelled,
  RecoveryExhausted,
  RecoveryFailed,
  RecoveryLaunched,
  RecoveryScheduled
} from "./Events.ts"
import * as RecoveryRepo from "./RecoveryRepo.ts"
import type { Recovery } from "./RunRecovery.ts"
import { type Command, decide } from "./Transition.ts"

/** What happened to a recovery that is in this state now. That it is being launched is news to nobody. */
const eventOf = (recovery: Recovery): Event | undefined => {
  const { attemptNumber, childAttemptId, id: resourceId, parentAttemptId, state, taskId } = recovery
  const facts = { resourceId, taskId, parentAttemptId, attemptNumber }
  switch (state) {
    case "scheduled":
      return new RecoveryScheduled(facts)
    case "launching":
      return undefined
    case "launched":
      return new RecoveryLaunched({ ...facts, childAttemptId: childAttemptId ?? "" })
    case "cancelled":
      return new RecoveryCancelled(facts)
    case "exhausted":
      return new RecoveryExhausted(facts)
    case "failed":
      return new RecoveryFailed(facts)
  }
}

const tell = (recovery: Recovery, by: ActorContext): Effect.Effect<void, never, Sql> => {
  const event = eventOf(recovery)
  return event === undefined ? Effect.void : Journal.record(event, by)
}

/** Writes a new recovery. */
export const begin = (recovery: Recovery, by: ActorContext): Effect.Effect<void, never, Sql> =>
  Effect.zipRight(RecoveryRepo.insert(recovery), tell(recovery, by))

/** Carries out a command, and gives the recovery after it; undefined when the command does not fit. */
export const carryOut = (
  before: Recovery,
  command: Command,
  by: ActorContext
): Effect.Effect<Recovery | undefined, never, Sql> =>
  Effect.gen(function* () {
    const after = decide(before, command)
    if (after === undefined) return undefined
    yield* RecoveryRepo.update(after)
    yield* tell(after, by)
    return after
  })
