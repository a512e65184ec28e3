import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import { Effect } from "effect"
import { asActor } from "../../kernel/Actor.ts"
import { SquadApi } from "./Api.ts"
import { SquadChat } from "./SquadChat.ts"

export const SquadHttp = HttpApiBuilder.group(HttpApi.make("muster").add(SquadApi), "squad", (handlers) =>
  Effect.map(SquadChat, (chat) =>
    handlers
      .handle("post", ({ payload }) => asActor((by) => chat.post(payload, by)))
      .handle("list", ({ urlParams }) => chat.list(urlParams))
      .handle("search", ({ urlParams }) => chat.search(urlParams))
      .handle("unread", ({ urlParams }) => chat.unread(urlParams))
      .handle("read", ({ payload }) => asActor((by) => chat.markRead(payload, by)))
      .handle("thread", ({ path }) => chat.thread(path.messageId))
      .handle("pin", ({ path, payload }) => asActor((by) => chat.pin(path.messageId, payload, by)))
      .handle("react", ({ path, payload }) => asActor((by) => chat.react(path.messageId, payload, by)))
      .handle("notifications", ({ urlParams }) => chat.notifications(urlParams))
      .handle("readNotification", ({ path }) => asActor((by) => chat.markNotificationRead(path.id, by)))
  )
)
