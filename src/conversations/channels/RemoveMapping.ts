import { Effect } from "effect"
import type { Sql } from "../../storage/Sql.ts"
import * as PendingRepo from "../inbox/PendingRepo.ts"
import * as MappingRepo from "../mappings/MappingRepo.ts"
import * as RuleRepo from "../triggers/RuleRepo.ts"

/**
 * Forgets a mapping with what lives by it: how far it was read, the replies that wait, and the rules about its messages.
 * What was said stays, and what an event has become, so that none comes twice when the channel is mapped again.
 */
export const removeMapping = (mappingId: string): Effect.Effect<void, never, Sql> =>
  Effect.all(
    [PendingRepo.removeAll(mappingId), RuleRepo.removeOf(mappingId), MappingRepo.remove(mappingId)],
    { discard: true }
  )
