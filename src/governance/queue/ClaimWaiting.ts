import { Effect, Either } from "effect"
import { system } from "../../kernel/Actor.ts"
import type { Lease } from "../../storage/Lease.ts"
import type { Sql } from "../../storage/Sql.ts"
import * as Admission from "../admission/Units.ts"
import { evaluated, withTaken } from "../capacity/Capacity.ts"
import type { Dispatcher } from "./Dispatch.ts"
import { abandon } from "./EndEntry.ts"
import { decide } from "./Entry.ts"
import * as EntryRepo from "./EntryRepo.ts"
import { limitsOf, planQueue, situation } from "./PlanQueue.ts"

/** An entry that was given capacity, and the lease that whoever starts it stands behind. */
export interface ClaimedEntry {
  readonly entry: EntryRepo.StoredEntry
  readonly launch: EntryRepo.Launch
  readonly reservationId: string
  readonly lease: Lease
}

/** How many are claimed in one unit: some milliseconds of work. */
const claimLimit = 64

/**
 * Gives those capacity who come first and fit, and ends those who can never start, in one unit. What is given is leased:
 * whoever takes it back before it starts takes the lease with it.
 */
export const claimWaiting = (
  dispatchers: ReadonlyArray<Dispatcher>
): Effect.Effect<ReadonlyArray<ClaimedEntry>, never, Sql> =>
  Effect.gen(function* () {
    if (!(yield* EntryRepo.anybodyWaits)) return []
    const now = yield* situation
    const sources = dispatchers.flatMap((one) => one.sources)
    const { denied, starting } = yield* planQueue(now, { sources })
    // They were found because they wait, so they can end.
    for (const [{ seq }] of denied) {
      yield* Effect.orDie(abandon(dispatchers, yield* EntryRepo.at(seq), "policy-denied"))
    }
    const limits = limitsOf(now.settings)
    const { leaseMs } = now.settings.queue
    const claimed: Array<ClaimedEntry> = []
    let { usage } = now
    for (const { seq } of starting.slice(0, claimLimit)) {
      const entry = yield* EntryRepo.at(seq)
      const state = Either.getOrUndefined(decide(entry.state, "claim"))
      if (state === undefined) continue
      const launch = yield* EntryRepo.launchOf(entry)
      const policies = evaluated(limits, usage, entry)
      const { lease, reservationId } = yield* Admission.reserve(launch.request, policies, leaseMs, system)
      yield* EntryRepo.move(entry, state, { reservationId })
      yield* EntryRepo.takeTurn(entry.workspaceId)
      usage = withTaken(usage, [entry])
      claimed.push({ entry, launch, reservationId, lease })
    }
    return claimed
  })
