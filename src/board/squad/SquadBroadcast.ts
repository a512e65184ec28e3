import { Effect } from "effect"
import type { Broadcast } from "../../storage/events/Broadcast.ts"
import * as SquadRepo from "./SquadRepo.ts"

/** `squad:message {message}` with the message as it is now, when it was said and whenever its marks change. */
export const squadBroadcast: Broadcast = {
  resource: "squad-message",
  render: ({ resourceId }) =>
    Effect.map(SquadRepo.find(resourceId), (found) =>
      found === undefined ? undefined : { message: { type: "squad:message", message: found.message } }
    )
}
