import { Effect } from "effect"
import { type ActorContext, identityOf } from "../../kernel/Actor.ts"
import { now } from "../../kernel/Time.ts"
import * as Journal from "../../storage/events/Journal.ts"
import type { Sql } from "../../storage/Sql.ts"
import { type Claim, type Holding, isFenced, renewed } from "./Claim.ts"
import * as ClaimRepo from "./ClaimRepo.ts"
import { ClaimTakenOver } from "./Errors.ts"
import { TaskClaimRenewed } from "./Events.ts"

/** The refusal of a former claimer's write, with who has the task now. */
export const refusalOfFormer = (
  taskId: string,
  claim: Claim | undefined,
  by: ActorContext
): ClaimTakenOver | undefined => {
  if (claim === undefined || !isFenced(claim, by)) return undefined
  const { epoch, holding } = claim
  return new ClaimTakenOver({
    taskId,
    epoch,
    ...(holding === undefined
      ? {}
      : { holder: holding.agent, since: new Date(holding.claimedAt).toISOString() }),
    remedy: `Stop working on it. POST /api/tasks/${taskId}/claim claims it anew once it is in todo or its claim has lapsed; whoever makes you its assignee gives it back to you`
  })
}

/** Renews the claim of a task if it is the actor's. That is no change of the task, unless it was known to have lapsed. */
export const renewClaim = (taskId: string, by: ActorContext): Effect.Effect<void, never, Sql> =>
  Effect.flatMap(ClaimRepo.find(taskId), (found) => {
    const holding = found?.claim.holding
    return found === undefined || holding === undefined || holding.identity !== identityOf(by)
      ? Effect.void
      : renew(found, holding, by)
  })

const renew = (
  { claim, id, revision, row }: ClaimRepo.ClaimedTask,
  holding: Holding,
  by: ActorContext
): Effect.Effect<void, never, Sql> =>
  Effect.gen(function* () {
    yield* ClaimRepo.save(row, renewed(claim, holding, yield* now))
    if (holding.told === true) yield* Journal.record(new TaskClaimRenewed({ resourceId: id, revision }), by)
  })

/** Until when a task is claimed, in milliseconds since the epoch; undefined when nobody holds it. */
export const claimedUntil = (taskId: string): Effect.Effect<number | undefined, never, Sql> =>
  Effect.map(ClaimRepo.find(taskId), (found) => found?.claim.holding?.expiresAt)
