import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import { Effect } from "effect"
import { asActor } from "../../kernel/Actor.ts"
import { respondPage } from "../../kernel/Paging.ts"
import { ChatApi } from "./Api.ts"
import { ChatSessions } from "./ChatSessions.ts"

export const ChatHttp = HttpApiBuilder.group(HttpApi.make("muster").add(ChatApi), "chat", (handlers) =>
  Effect.map(ChatSessions, (sessions) =>
    handlers
      .handle("send", ({ payload }) => asActor((by) => sessions.send(payload, by)))
      .handle("list", ({ urlParams }) => Effect.map(sessions.list(urlParams), respondPage))
      .handle("get", ({ path }) => sessions.get(path.id))
      .handle("history", ({ path, urlParams }) => sessions.history(path.id, urlParams))
      .handle("remove", ({ path }) => asActor((by) => sessions.remove(path.id, by)))
  )
)
