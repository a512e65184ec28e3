import { Effect } from "effect"
import type { ActorContext } from "../kernel/Actor.ts"
import { now } from "../kernel/Time.ts"
import * as Audit from "./Audit.ts"
import * as Outbox from "./Outbox.ts"
import type { Sql } from "./Sql.ts"

/**
 * A fact about a resource. `kind` is the resource and what happened to it, e.g. `task.updated`. `payload` is metadata:
 * ids, revisions, names of changed fields, statuses; never free text, so nothing secret can lie in it.
 */
export interface Change {
  readonly kind: string
  readonly resource: string
  readonly resourceId: string
  readonly by: ActorContext
  readonly payload: Readonly<Record<string, unknown>>
}

/**
 * Records a change in the unit that makes it: one row of the outbox, which wakes the stream and the workers after the
 * commit, and one link of the audit chain. Both exist exactly when the change does.
 */
export const record = (change: Change): Effect.Effect<void, never, Sql> =>
  Effect.flatMap(now, (at) => Effect.zipRight(Outbox.append(change, at), Audit.append(change, at)))
