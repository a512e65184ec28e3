import { type ActorContext, actorOf } from "../../src/kernel/Actor.ts"
import type { Change } from "../../src/storage/Journal.ts"

/** Somebody who acts in tests below the API. */
export const tester: ActorContext = actorOf({ name: "tester", role: "admin", authMethod: "api-key" })

/** A change of one resource. */
export const change = (resourceId: string, payload: Change["payload"] = {}): Change => ({
  kind: "thing.changed",
  resource: "thing",
  resourceId,
  by: tester,
  payload
})
