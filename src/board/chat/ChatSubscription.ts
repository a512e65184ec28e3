import { Effect, Schema } from "effect"
import {
  clientMessage,
  follow,
  leave,
  type Subscription,
  SubscriptionRefused
} from "../../storage/events/Subscription.ts"
import { chatTopic } from "./ChatBroadcast.ts"
import { SessionIdParam } from "./ChatSession.ts"
import { requireSession } from "./ChatSessions.ts"

const OfSession = Schema.Struct({ sessionId: SessionIdParam })

/** `chat:subscribe` follows one session until it is deleted, and `chat:unsubscribe` leaves it. */
export const chatSubscription: Subscription = {
  limit: { most: 100, called: "chat sessions" },
  messages: [
    clientMessage("chat:subscribe", OfSession, ({ sessionId }) =>
      Effect.mapBoth(requireSession(sessionId), {
        onFailure: noSession,
        onSuccess: () =>
          follow(
            sessionId,
            {
              _tag: "Topic",
              topic: chatTopic(sessionId),
              until: { resource: "chat-session", resourceId: sessionId }
            },
            { type: "chat:subscribed", sessionId }
          )
      })
    ),
    clientMessage("chat:unsubscribe", OfSession, ({ sessionId }) =>
      Effect.succeed(leave(sessionId, { type: "chat:unsubscribed", sessionId }))
    )
  ]
}

const noSession = () => new SubscriptionRefused({ code: "NOT_FOUND", message: "There is no such session" })
