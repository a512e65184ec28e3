import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import { Authorization, Requires } from "../../kernel/Authorization.ts"
import { created } from "../../kernel/Created.ts"
import * as TaskWire from "../tasks/Wire.ts"
import { Notification, NotificationFilter, NotificationIdParam } from "./Notification.ts"
import {
  MessageIdParam,
  Pin,
  React,
  ReadMark,
  ReadPosition,
  SquadDraft,
  SquadFilter,
  SquadMessage,
  UnreadFilter
} from "./SquadMessage.ts"
import { SquadFound, SquadQuery } from "./SquadSearch.ts"
import * as Wire from "./Wire.ts"

const MessagePath = Schema.Struct({ messageId: MessageIdParam })

const PostedMessage = created(SquadMessage)

export const SquadApi = HttpApiGroup.make("squad")
  .add(
    HttpApiEndpoint.post("post", "/chat/squad")
      .setPayload(SquadDraft)
      .addSuccess(PostedMessage)
      .addError(TaskWire.TaskNotFound)
      .addError(Wire.SquadMessageNotFound)
      .annotate(Requires, "task:write")
      .annotate(
        OpenApi.Description,
        "Says something to the squad. Secrets are redacted before anything is stored. `mentions` has those of the body, then every `@name` of the text as kind `actor`, each name once, 50 at the most; all but the author are notified. An unknown `replyToId` or `taskId` is a 404. `system` and `kind` are the service's own and are ignored."
      )
  )
  .add(
    HttpApiEndpoint.get("list", "/chat/squad")
      .setUrlParams(SquadFilter)
      .addSuccess(Schema.Array(SquadMessage))
      .annotate(Requires, "task:read")
      .annotate(
        OpenApi.Description,
        "The newest `limit` messages (default 50, at most 500), oldest first. `since` is exclusive. System events are left out unless `includeSystem=true`."
      )
  )
  .add(
    HttpApiEndpoint.get("search", "/chat/squad/search")
      .setUrlParams(SquadQuery)
      .addSuccess(Schema.Array(SquadFound))
      .annotate(Requires, "task:read")
      .annotate(
        OpenApi.Description,
        "The messages whose text or agent contains `q` as it is, capital and small letters alike, newest first, system events included. Each comes as a redacted snippet of at most 200 characters around the match. `limit` is 20 by default, at most 100."
      )
  )
  .add(
    HttpApiEndpoint.get("unread", "/chat/squad/unread")
      .setUrlParams(UnreadFilter)
      .addSuccess(Schema.Array(SquadMessage))
      .annotate(Requires, "task:read")
      .annotate(
        OpenApi.Description,
        "What others than `actor` said after the place up to which it has read; all of it for an actor that never read. System events don't count. Oldest first, at most `limit` (500): marking the last one read brings the next ones. Listing marks nothing read."
      )
  )
  .add(
    HttpApiEndpoint.post("read", "/chat/squad/read")
      .setPayload(ReadMark)
      .addSuccess(ReadPosition)
      .addError(Wire.SquadMessageNotFound)
      .annotate(Requires, "task:write")
      .annotate(
        OpenApi.Description,
        "Notes that `actor` has read everything up to this message. It only ever moves forward: an older message leaves the place where it is, and the answer says where that is and how many messages lie beyond it."
      )
  )
  .add(
    HttpApiEndpoint.get("thread", "/chat/squad/:messageId/thread")
      .setPath(MessagePath)
      .addSuccess(Schema.Array(SquadMessage))
      .addError(Wire.SquadMessageNotFound)
      .annotate(Requires, "task:read")
      .annotate(
        OpenApi.Description,
        "The thread that a message belongs to, whichever of it the id names: its root and all that descends from it, oldest first. Of more than 1,000 messages these are the root and the newest 999."
      )
  )
  .add(
    HttpApiEndpoint.post("pin", "/chat/squad/:messageId/pin")
      .setPath(MessagePath)
      .setPayload(Pin)
      .addSuccess(SquadMessage)
      .addError(Wire.SquadMessageNotFound)
      .annotate(Requires, "task:write")
      .annotate(
        OpenApi.Description,
        "Pins a message, marks it a decision, or takes these marks away. A mark that the body does not name stays as it is; a body that names neither is a 400."
      )
  )
  .add(
    HttpApiEndpoint.post("react", "/chat/squad/:messageId/react")
      .setPath(MessagePath)
      .setPayload(React)
      .addSuccess(SquadMessage)
      .addError(Wire.SquadMessageNotFound)
      .addError(Wire.ReactionsFull)
      .annotate(Requires, "task:write")
      .annotate(
        OpenApi.Description,
        "Adds a reaction to a message. The same reaction of the same actor counts once: repeating it changes nothing. A message takes 500 reactions."
      )
  )
  .add(
    HttpApiEndpoint.get("notifications", "/notifications")
      .setUrlParams(NotificationFilter)
      .addSuccess(Schema.Array(Notification))
      .annotate(Requires, "task:read")
      .annotate(
        OpenApi.Description,
        "Where `actor` was mentioned, newest first, at most `limit` (default 50, at most 500). `link` is the path of the message in its thread. `@Ann` reaches ann: capital and small letters are alike here."
      )
  )
  .add(
    HttpApiEndpoint.post("readNotification", "/notifications/:id/read")
      .setPath(Schema.Struct({ id: NotificationIdParam }))
      .addSuccess(Notification)
      .addError(Wire.NotificationNotFound)
      .annotate(Requires, "task:write")
      .annotate(OpenApi.Description, "Marks a notification as read. Repeating it changes nothing.")
  )
  .middleware(Authorization)
  .prefix("/api")
  .annotate(OpenApi.Title, "Squad chat")
