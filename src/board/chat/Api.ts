import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import { Authorization, Requires } from "../../kernel/Authorization.ts"
import { created } from "../../kernel/Created.ts"
import { IdParam } from "../../kernel/IdParam.ts"
import { Limit } from "../../kernel/Paging.ts"
import { TaskIdParam } from "../tasks/Task.ts"
import * as TaskWire from "../tasks/Wire.ts"
import { ChatHistory, ChatSend, ChatSent, ChatSession, SessionIdParam } from "./ChatSession.ts"
import * as Wire from "./Wire.ts"

const SessionPath = Schema.Struct({ id: SessionIdParam })

export const ChatApi = HttpApiGroup.make("chat")
  .add(
    HttpApiEndpoint.post("send", "/chat/send")
      .setPayload(ChatSend)
      .addSuccess(created(ChatSent))
      .addError(Wire.ChatSessionNotFound)
      .addError(Wire.ChatSessionFull)
      .addError(TaskWire.TaskNotFound)
      .annotate(Requires, "task:write")
      .annotate(
        OpenApi.Description,
        "Says something in a session; without a `sessionId` it begins one, with this `agent` and about this `taskId`. The role is `assistant` for an agent's credential and `user` for everybody else. Secrets are redacted before anything is stored. WebSocket clients that sent `chat:subscribe` hear it as `chat:message`. A session holds 10,000 messages."
      )
  )
  .add(
    HttpApiEndpoint.get("list", "/chat/sessions")
      .setUrlParams(Schema.Struct({ taskId: Schema.optional(TaskIdParam), limit: Schema.optional(Limit) }))
      .addSuccess(Schema.Array(ChatSession))
      .annotate(Requires, "task:read")
      .annotate(
        OpenApi.Description,
        "The sessions, the one in which something was said last first; `X-Total-Count` says how many match. `taskId` selects those about a task."
      )
  )
  .add(
    HttpApiEndpoint.get("get", "/chat/sessions/:id")
      .setPath(SessionPath)
      .addSuccess(ChatSession)
      .addError(Wire.ChatSessionNotFound)
      .annotate(Requires, "task:read")
      .annotate(OpenApi.Description, "A session without its messages.")
  )
  .add(
    HttpApiEndpoint.get("history", "/chat/sessions/:id/history")
      .setPath(SessionPath)
      .setUrlParams(
        Schema.Struct({
          limit: Schema.optional(Limit),
          before: Schema.optional(
            IdParam.annotations({
              description: "The id of a message: only what was said before it"
            })
          )
        })
      )
      .addSuccess(ChatHistory)
      .addError(Wire.ChatSessionNotFound)
      .annotate(Requires, "task:read")
      .annotate(
        OpenApi.Description,
        "The newest `limit` messages of a session, oldest first; `before` the oldest that is known gets those before it."
      )
  )
  .add(
    HttpApiEndpoint.del("remove", "/chat/sessions/:id")
      .setPath(SessionPath)
      .addSuccess(HttpApiSchema.NoContent)
      .addError(Wire.ChatSessionNotFound)
      .annotate(Requires, "task:write")
      .annotate(
        OpenApi.Description,
        "Deletes a session with all that was said in it. Those who subscribed to it hear nothing more."
      )
  )
  .middleware(Authorization)
  .prefix("/api")
  .annotate(OpenApi.Title, "Chat sessions")
