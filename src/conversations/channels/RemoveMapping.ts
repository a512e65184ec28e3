import { Effect } from "effect"
import type { Sql } from "../../storage/Sql.ts"
import { forgetPending } from "../inbox/Units.ts"
import { forgetMapping } from "../mappings/Units.ts"
import { forgetRules } from "../triggers/Units.ts"

/**
 * Forgets a mapping with all that depends on it: how far it was read, the replies that wait, and the rules about its
 * messages. What was said stays, and so does what each event has become, so that none comes twice when the channel is
 * mapped again.
 */
export const removeMapping = (mappingId: string): Effect.Effect<void, never, Sql> =>
  Effect.all([forgetPending(mappingId), forgetRules(mappingId), forgetMapping(mappingId)], { discard: true })
