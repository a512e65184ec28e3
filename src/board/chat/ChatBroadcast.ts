import { Effect } from "effect"
import type { Broadcast } from "../../storage/events/Broadcast.ts"
import * as ChatRepo from "./ChatRepo.ts"

/** The topic of a session: its messages go to those who subscribed to it. */
export const chatTopic = (sessionId: string): string => `chat-session:${sessionId}`

/** `chat:message {sessionId, message}` for everything that is said in a session. */
export const chatBroadcast: Broadcast = {
  resource: "chat-message",
  render: ({ resourceId }) =>
    Effect.map(ChatRepo.findMessage(resourceId), (found) =>
      found === undefined
        ? undefined
        : { topic: chatTopic(found.sessionId), message: { type: "chat:message", ...found } }
    )
}
