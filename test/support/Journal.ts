import type { Effect } from "effect"
import { type ActorContext, actorOf } from "../../src/kernel/Actor.ts"
import * as Journal from "../../src/storage/events/Journal.ts"
import type { Sql } from "../../src/storage/Sql.ts"

/** Somebody who acts in tests below the API. */
export const tester: ActorContext = actorOf({ name: "tester", role: "admin", authMethod: "api-key" })

/** Records that one resource changed. */
export const recordChange = (
  resourceId: string,
  payload: Readonly<Record<string, unknown>> = {}
): Effect.Effect<void, never, Sql> =>
  Journal.record({ ...payload, _tag: "thing.changed", resource: "thing", resourceId }, tester)
