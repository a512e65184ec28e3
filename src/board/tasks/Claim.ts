import { type ActorContext, identityOf } from "../../kernel/Actor.ts"
import { iso } from "../../kernel/Time.ts"
import type { StoredTask, TaskStatus } from "./Task.ts"
import type { ClaimView } from "./TaskParts.ts"

/*
 * A claim is the lease of whoever took a task with `claim` or `claim-next`. It belongs to who made it, an identity and no
 * display name, also when that acts for an agent of another name. Whatever they write on the task renews it, and so does
 * the heartbeat of an agent that says it works on the task. One that lapsed is theirs until somebody else takes the task
 * over; from then on they are a former claimer, and what they write is refused.
 *
 * It stands in a column beside the task's document and not among the leases of storage: whoever writes a task reads it
 * anyway, so fencing costs no statement.
 */

/** Who holds a task. Times are in milliseconds since the epoch. */
export interface Holding {
  readonly identity: string
  readonly by: string
  readonly agent: string
  readonly claimedAt: number
  readonly expiresAt: number
  /** For how long each renewal holds, in milliseconds: what the settings said when the claim was made. */
  readonly duration: number
  /** That it lapsed was told. */
  readonly told?: true
}

/** Somebody whose claim lapsed and whose task was taken over. */
interface Former {
  readonly identity: string
  readonly agent: string
}

/** What is known of the claims of a task. The epoch stays when nobody holds it any more. */
export interface Claim {
  readonly epoch: number
  readonly holding?: Holding
  readonly former: ReadonlyArray<Former>
}

/** Whether a claim has lapsed by a time. */
export const isStale = ({ expiresAt }: Holding, at: number): boolean => expiresAt <= at

/** The claim that a task shows. */
export const viewOf = ({ epoch, holding }: Claim, at: number): ClaimView | undefined =>
  holding === undefined
    ? undefined
    : {
        by: holding.by,
        agent: holding.agent,
        claimedAt: iso(holding.claimedAt),
        expiresAt: iso(holding.expiresAt),
        epoch,
        stale: isStale(holding, at)
      }

/** A task that is claimed anew. Whoever held it until now, and let it lapse, is a former claimer. */
export const claimed = (
  before: Claim | undefined,
  by: ActorContext,
  { agent, at, duration }: { readonly agent: string; readonly at: number; readonly duration: number }
): Claim => {
  const identity = identityOf(by)
  const { epoch = 0, former = [], holding } = before ?? {}
  const others =
    holding === undefined ? former : [...former, { identity: holding.identity, agent: holding.agent }]
  return {
    epoch: epoch + 1,
    holding: { identity, by: by.name, agent, claimedAt: at, expiresAt: at + duration, duration },
    former: others.filter(
      (one, index) =>
        one.identity !== identity && others.findIndex((other) => other.identity === one.identity) === index
    )
  }
}

/** The claim while it lasts from now on. One that lapsed is held again while nobody took the task over. */
export const renewed = (claim: Claim, holding: Holding, at: number): Claim => {
  const { told: _, ...held } = holding
  return { ...claim, holding: { ...held, expiresAt: at + holding.duration } }
}

/** Nobody holds the task any more. */
export const ended = ({ epoch, former }: Claim): Claim => ({ epoch, former })

/** The claim of which it was told that it lapsed. */
export const lapseTold = (claim: Claim, holding: Holding): Claim => ({
  ...claim,
  holding: { ...holding, told: true }
})

/** The statuses in which a task waits for somebody to take it: the story of those who held it is over. */
const waiting: ReadonlySet<TaskStatus> = new Set<TaskStatus>(["backlog", "todo"])

/**
 * The claim after a write on its task. It ends with the work, and when the task is given to somebody else; a write of
 * its holder renews it, a write of anybody else leaves it as it is. Former claimers may write again when the task is given
 * back to them, by its assignee, and when it waits for somebody to take it.
 */
export const afterWrite = (
  claim: Claim,
  {
    after,
    at,
    before,
    by
  }: {
    readonly before: StoredTask
    readonly after: StoredTask
    readonly by: ActorContext
    readonly at: number
  }
): Claim => {
  const assigned = before.assignee !== after.assignee
  const former = waiting.has(after.status)
    ? []
    : assigned
      ? claim.former.filter(({ agent }) => agent !== after.assignee)
      : claim.former
  const kept = former.length === claim.former.length ? claim : { ...claim, former }
  const { holding } = kept
  if (holding === undefined) return kept
  if (after.status !== "in-progress") return ended(kept)
  if (assigned && after.assignee !== holding.agent) return ended(kept)
  return holding.identity === identityOf(by) ? renewed(kept, holding, at) : kept
}

/** Whether somebody may not write on a task: a former claimer, unless that is a person or an administrator. */
export const isFenced = ({ former }: Claim, by: ActorContext): boolean =>
  former.length > 0 &&
  by.actorType !== "user" &&
  by.role !== "admin" &&
  former.some(({ identity }) => identity === identityOf(by))
