import { Effect, type Scope } from "effect"
import { type ActorContext, system } from "../../kernel/Actor.ts"
import { iso, now } from "../../kernel/Time.ts"
import type * as Worker from "../../kernel/Worker.ts"
import * as Journal from "../../storage/events/Journal.ts"
import type { Sql } from "../../storage/Sql.ts"
import { Storage } from "../../storage/Storage.ts"
import * as Wakes from "../../storage/Wakes.ts"
import * as Squad from "../squad/Units.ts"
import { TaskClaimLapsed } from "../tasks/Events.ts"
import { Claim, ClaimRepo } from "../tasks/Units.ts"

/** How many lapses a unit tells. */
const pieceSize = 100

/**
 * How often the clock is looked at while a claim lasts, in milliseconds: a machine may sleep meanwhile. A renewal wakes
 * nobody: it lasts for a minute at the least, and the clock is looked at more often than that.
 */
const longestLook = 5_000

/** A task of which somebody has something to say. */
interface Subject {
  readonly id: string
  readonly title: string
}

/** Says something of a task in the squad chat. Nobody is asked whether they want to hear it: nothing changes hands silently. */
const say = (agent: string, { id, title }: Subject, message: string, by: ActorContext) =>
  Squad.post({ agent, message: `${title} (${id}): ${message}`, taskId: id, tags: ["lifecycle"] }, by).pipe(
    // The task is there, and the message answers no other.
    Effect.orDie,
    Effect.asVoid
  )

/** Tells once that a claim has lapsed: the squad chat, the stream and the audit chain. */
export const tellLapse = ({
  claim,
  id,
  revision,
  row,
  title
}: ClaimRepo.ClaimedTask): Effect.Effect<void, never, Sql> =>
  Effect.gen(function* () {
    const { holding } = claim
    if (holding === undefined || holding.told === true) return
    yield* ClaimRepo.save(row, Claim.lapseTold(claim, holding))
    yield* say(
      system.name,
      { id, title },
      `the claim of ${holding.agent} lapsed at ${iso(holding.expiresAt)}; whoever claims the task next takes it over`,
      system
    )
    yield* Journal.record(new TaskClaimLapsed({ resourceId: id, revision }), system)
  })

/** Tells that a task was taken over. */
export const tellTakeover = (
  task: Subject,
  { from, to }: { readonly from: string; readonly to: string },
  by: ActorContext
): Effect.Effect<void, never, Sql> => say(to, task, `${to} took it over from ${from}`, by)

const tellDue = Effect.gen(function* () {
  for (const claimed of yield* ClaimRepo.due(yield* now, pieceSize)) yield* tellLapse(claimed)
})

/**
 * Tells of claims that lapse, within five seconds of it. Readers need not wait for it, nor does whoever takes a task over:
 * they compare the time themselves.
 */
export const startTelling: Effect.Effect<void, never, Storage | Worker.Workers | Scope.Scope> = Effect.gen(
  function* () {
    const storage = yield* Storage
    yield* Wakes.startDue("claim-lapses", [ClaimRepo.claimStream], () =>
      Effect.gen(function* () {
        for (;;) {
          const at = yield* now
          const next = yield* storage.read(ClaimRepo.nextDue)
          if (next === undefined || next > at) {
            return next === undefined ? undefined : Math.min(next, at + longestLook)
          }
          yield* storage.write(tellDue)
        }
      })
    )
  }
)
