import { Effect } from "effect"
import type { ActorContext } from "../../kernel/Actor.ts"
import { now } from "../../kernel/Time.ts"
import { type Sql, together } from "../Sql.ts"
import * as Audit from "./Audit.ts"
import { changeOf, type Event } from "./Event.ts"
import * as Outbox from "./Outbox.ts"

/**
 * Records what happened in the unit that makes it so: one row of the outbox, which wakes the stream and the workers
 * after the commit, and one link of the audit chain. Both exist exactly when the change does.
 */
export const record = (event: Event, by: ActorContext): Effect.Effect<void, never, Sql> =>
  Effect.flatMap(now, (at) => {
    const change = changeOf(event, by)
    return together([Outbox.anyEvent, change.resource, Audit.auditChain], (execute) => {
      execute(Outbox.appending(change, at))
      Audit.append(execute, change, at)
    })
  })

/** Records what changed nothing that anybody follows, a login or a refusal: one link of the audit chain alone. */
export const note = (event: Event, by: ActorContext): Effect.Effect<void, never, Sql> =>
  Effect.flatMap(now, (at) =>
    together([Audit.auditChain], (execute) => Audit.append(execute, changeOf(event, by), at))
  )
