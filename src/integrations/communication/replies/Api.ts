import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import { SquadMessage } from "../../../board/squad/SquadMessage.ts"
import * as SquadWire from "../../../board/squad/Wire.ts"
import * as TaskWire from "../../../board/tasks/Wire.ts"
import { Authorization, Requires } from "../../../kernel/Authorization.ts"
import { created } from "../../../kernel/Created.ts"
import { AdapterIdParam } from "../Adapter.ts"
import * as CommunicationWire from "../Wire.ts"
import { Reply } from "./Reply.ts"
import * as Wire from "./Wire.ts"

export const RepliesApi = HttpApiGroup.make("replies")
  .add(
    HttpApiEndpoint.post("post", "/integrations/communication/adapters/:adapterId/replies")
      .setPath(Schema.Struct({ adapterId: AdapterIdParam }))
      .setPayload(Reply)
      .addSuccess(created(SquadMessage))
      .addSuccess(SquadMessage)
      .addError(CommunicationWire.AdapterNotFound)
      .addError(Wire.AdapterDisabled)
      .addError(SquadWire.SquadMessageNotFound)
      .addError(TaskWire.TaskNotFound)
      .annotate(Requires, "comment:write")
      .annotate(
        OpenApi.Description,
        "Puts what somebody said elsewhere into the squad chat, as a reply to `target.squadMessageId` and in the name of `displayName`. Scripts, control characters and secrets are taken out of it; the rest is kept, and whoever shows it as HTML still escapes it. An adapter of either kind takes replies while it is enabled, and answers 409 while it is not. A reply counts once for an adapter and its `externalReplyId`: the first time the answer is 201, and 200 with the same message ever after, whatever the body then says. An unknown message or task is a 404. With `target.approvalId` it is about an approval, which needs `workflow:execute`, `task:write` or `admin:manage` too; it decides nothing: that is done where approvals are decided."
      )
  )
  .middleware(Authorization)
  .prefix("/api")
  .annotate(OpenApi.Title, "Replies from elsewhere")
