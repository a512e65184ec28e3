import { Effect, Layer } from "effect"
import { admission } from "../../board/settings/Units.ts"
import { now } from "../../kernel/Time.ts"
import type { Sql } from "../../storage/Sql.ts"
import { Storage } from "../../storage/Storage.ts"
import * as Wakes from "../../storage/Wakes.ts"
import { Holders } from "./Holders.ts"
import * as ReservationRepo from "./ReservationRepo.ts"
import { expire, renew } from "./Units.ts"

/** How often the leases are looked at, in milliseconds: what lapses is taken back within five seconds (ruling 86). */
const interval = 4_000

/**
 * Renews what living attempts hold, then takes back what lapsed, in one unit: after a sleep of the machine nobody who
 * lives loses anything, and nobody who is gone keeps anything.
 */
const keepLeases = (living: ReadonlyArray<string>, leaseMs: number): Effect.Effect<void, never, Sql> =>
  Effect.gen(function* () {
    for (const attemptId of living) yield* renew(attemptId, leaseMs)
    for (const lapsed of yield* ReservationRepo.lapsed(yield* now)) yield* expire(lapsed)
  })

/** Keeps to the leases of reservations while the server runs. */
export const KeepLeases = Layer.scopedDiscard(
  Effect.gen(function* () {
    const storage = yield* Storage
    const holders = yield* Holders
    yield* Wakes.startDue("admission-leases", ["settings"], () =>
      Effect.gen(function* () {
        const { queue } = yield* storage.read(admission)
        const living = yield* holders.living
        const at = yield* now
        const lapsed = yield* storage.read(ReservationRepo.lapsed(at))
        if (living.length + lapsed.length > 0) yield* storage.write(keepLeases(living, queue.leaseMs))
        // Whoever lives is renewed before their lease has lapsed: what is short is looked at more often.
        return at + Math.min(interval, Math.max(100, queue.leaseMs / 3))
      })
    )
  })
)
