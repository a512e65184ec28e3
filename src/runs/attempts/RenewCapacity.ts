import { Effect } from "effect"
import { admission } from "../../board/settings/Units.ts"
import { renew } from "../../governance/admission/Units.ts"
import type { Sql } from "../../storage/Sql.ts"
import type { Attempt } from "./Attempt.ts"
import * as AttemptRepo from "./AttemptRepo.ts"

/**
 * Holds on to the capacity of an attempt whose agent was heard of. One that works elsewhere and is not heard of for a
 * lease keeps running without it (ruling 49).
 */
export const renewCapacity = ({ id, provider }: Attempt): Effect.Effect<void, never, Sql> =>
  provider === "gateway"
    ? Effect.flatMap(admission, ({ queue: { leaseMs } }) => Effect.asVoid(renew(id, leaseMs)))
    : Effect.void

/** The same for all that an agent has running, when its heart beats. */
export const renewCapacityOf = (agent: string): Effect.Effect<void, never, Sql> =>
  Effect.flatMap(AttemptRepo.runningOf(agent), (running) =>
    Effect.forEach(running, renewCapacity, { discard: true })
  )
