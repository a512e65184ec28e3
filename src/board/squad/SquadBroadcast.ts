import { Effect } from "effect"
import type { Broadcast } from "../../storage/Broadcast.ts"
import { streamOf } from "../../storage/Outbox.ts"
import * as SquadRepo from "./SquadRepo.ts"

const resource = "squad-message"

/** Sends a message to the live stream when it was said and whenever its marks change: `squad:message {message}`. */
export const squadBroadcast: Broadcast = {
  resource,
  render: ({ stream }) =>
    Effect.map(SquadRepo.find(stream.slice(streamOf(resource, "").length)), (found) =>
      found === undefined ? undefined : { type: "squad:message", message: found.message }
    )
}
