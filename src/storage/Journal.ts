import { Effect } from "effect"
import { now } from "../kernel/Time.ts"
import * as Audit from "./Audit.ts"
import type { Change } from "./Change.ts"
import * as Outbox from "./Outbox.ts"
import type { Sql } from "./Sql.ts"

export type { Change } from "./Change.ts"

/**
 * Records a change in the unit that makes it: one row of the outbox, which wakes the stream and the workers after the
 * commit, and one link of the audit chain. Both exist exactly when the change does.
 */
export const record = (change: Change): Effect.Effect<void, never, Sql> =>
  Effect.flatMap(now, (at) => Effect.zipRight(Outbox.append(change, at), Audit.append(change, at)))
