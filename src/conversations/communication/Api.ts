import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import { SquadMessage } from "../../board/squad/SquadMessage.ts"
import * as SquadWire from "../../board/squad/Wire.ts"
import * as TaskWire from "../../board/tasks/Wire.ts"
import { Authorization, Requires } from "../../kernel/Authorization.ts"
import { created } from "../../kernel/Created.ts"
import { FieldsDeniedWire } from "../../kernel/FieldRights.ts"
import { Adapter, AdapterBody, AdapterIdParam } from "../adapters/Adapter.ts"
import { Health } from "../adapters/Health.ts"
import * as Wire from "../adapters/Wire.ts"
import { Delivery } from "../deliveries/Delivery.ts"
import { Reconciled } from "../deliveries/Reconciled.ts"
import { SendRequest, Sent } from "../deliveries/Send.ts"
import { ThreadMapping } from "../deliveries/Thread.ts"
import { Reply } from "../replies/Reply.ts"
import * as RepliesWire from "../replies/Wire.ts"
import { DeliveryQuery, ThreadQuery } from "./Query.ts"

const AdapterPath = Schema.Struct({ adapterId: AdapterIdParam })

const adapters = "/integrations/communication/adapters"

export const CommunicationApi = HttpApiGroup.make("communication")
  .add(
    HttpApiEndpoint.get("adapters", adapters)
      .addSuccess(Schema.Array(Adapter))
      .annotate(Requires, "settings:read")
      .annotate(
        OpenApi.Description,
        "The adapters to other conversations, by their ids. They name the variables that hold their secrets, and never show what these hold; of a relay's path only plain words and numbers are shown, and `***` for the rest."
      )
  )
  .add(
    HttpApiEndpoint.put("putAdapter", `${adapters}/:adapterId`)
      .setPath(AdapterPath)
      .setPayload(AdapterBody)
      .addSuccess(Adapter)
      .addError(Wire.AdapterRefused)
      .addError(FieldsDeniedWire)
      .addError(Wire.AdapterOfOtherKind)
      .addError(Wire.AdapterLimitReached)
      .annotate(Requires, "settings:write")
      .annotate(
        OpenApi.Description,
        "Makes an adapter, or changes it. What the body does not name keeps its value; null clears what may be absent. HTTP and WebSocket address must be the same place; user names, queries and fragments are refused. Without encryption a relay is spoken to on this machine or in a private network only, each with its own flag; link-local and metadata addresses and carrier-grade NAT stay blocked, and names are resolved, checked and pinned for every connection. `credentialRef` and `authTagRef` are `env:RELAY_PRIVATE_KEY`, `env:RELAY_AUTH_TAG`, or a variable that SERVICE_SECRETS lists; one that it binds to other hosts is refused, and for a team chat those two are. A key that does not fit `publicKey` is stored and shows in the health: nothing is signed with it. A team chat gets what is sent at `webhookUrl`, which may have a query, under the same rules and flags; its `credential` is a bearer token, or `env:NAME` of a variable that SERVICE_SECRETS lists. Both are sealed with a key that lies beside the database and are never shown: of the webhook scheme, host and path, without what looks like a secret. What is stored does not follow to another origin: a sealed credential is dropped, and the name of a variable must come again with the new address, or null. These take admin:manage too, else it is a 403 that names the field: another `command`, `webhookUrl`, `credential`, `credentialRef` or `authTagRef` than there is, and for an adapter with a secret another address or community, and a flag that is switched on. To clear them takes nothing more. An adapter keeps its kind. An address that is given back as it was shown, with its `***`, is the stored one."
      )
  )
  .add(
    HttpApiEndpoint.del("removeAdapter", `${adapters}/:adapterId`)
      .setPath(AdapterPath)
      .addSuccess(HttpApiSchema.NoContent)
      .addError(Wire.AdapterNotFound)
      .addError(Wire.AdapterInUse)
      .annotate(Requires, "admin:manage")
      .annotate(
        OpenApi.Description,
        "Forgets an adapter that is switched off: its configuration, the secrets that were entered for it, what is known of its relay, and its mappings with their cursors, waiting replies and workflow triggers. What was said stays: messages, threads and deliveries under the adapter's id, what triggers have started and noted, and imported profiles and rosters. An adapter that is made under the same id sends nothing again that was sent before. While the adapter is enabled, or messages are on their way through it, the answer is 409 saying so, and nothing changes."
      )
  )
  .add(
    HttpApiEndpoint.get("health", `${adapters}/:adapterId/health`)
      .setPath(AdapterPath)
      .addSuccess(Health)
      .addError(Wire.AdapterNotFound)
      .annotate(Requires, "settings:read")
      .annotate(
        OpenApi.Description,
        "How an adapter is. `compatibility` says whether the relay is one that was tested, by checks that stand for themselves; it counts until configuration or baseline change. `runtime` says what the connection does; `send` counts all that is on its way. The relay is probed when nothing is known of it, and at every new connection; a key that is gone, or another one, shows at once. Addresses are shown without the parts of their path that are no plain words or numbers. `message` says in words what `reasonCode` means. Of a team chat everything comes from its configuration, so `compatibility` and `runtime` are absent."
      )
  )
  .add(
    HttpApiEndpoint.post("test", `${adapters}/:adapterId/test`)
      .setPath(AdapterPath)
      .addSuccess(Health)
      .addError(Wire.AdapterNotFound)
      .annotate(Requires, "settings:write")
      .annotate(
        OpenApi.Description,
        "Probes now, and answers with the health. It only reads. A configured `command` is asked for its version here and nowhere else. The name of a team chat's webhook is resolved and its addresses are checked; the webhook is not called."
      )
  )
  .add(
    HttpApiEndpoint.post("send", `${adapters}/:adapterId/send`)
      .setPath(AdapterPath)
      .setPayload(SendRequest)
      .addSuccess(Sent)
      .addError(Wire.AdapterNotFound)
      .annotate(Requires, "settings:write")
      .annotate(
        OpenApi.Description,
        "Sends a message of the squad chat to the mapped channel, as one signed event of kind 9. The event is stored before it leaves. The answer is 200 whatever came of it, and `status` says what: `success`; `queued`, when the relay wrote nothing and asked for patience (it is tried again until the event is 15 minutes old); `delivery_unknown`, when it may or may not have arrived: the relay did not say within 10 seconds, or not in its own word about this very event, which is `accepted: true` with its id (it is asked for by its id, at once by poll, by itself after a minute and until the event is too old); `failed`, when the relay refused it; `blocked` or `skipped`, when nothing left, with the reason. `squadMessageId` is the id of the new local message and is not looked up; sending it again gives the delivery of before, unless nothing left then. A reply needs a parent that is known at the relay. A team chat's webhook gets `{text, actor, squadMessageId, channelId, threadId?}` by POST, and `event` is null: 2xx is `success`, everything else `failed`, a pause that it asks for and a missing answer too, as a webhook can't be asked whether a message arrived. Sending again gives the delivery of before when it arrived, and tries once more when it did not: `squadMessageId`, and `X-Muster-Delivery`, stay the same. `threadId` is the thread over there from which a reply came in."
      )
  )
  .add(
    HttpApiEndpoint.post("replies", `${adapters}/:adapterId/replies`)
      .setPath(AdapterPath)
      .setPayload(Reply)
      .addSuccess(created(SquadMessage))
      .addSuccess(SquadMessage)
      .addError(Wire.AdapterNotFound)
      .addError(RepliesWire.AdapterDisabled)
      .addError(SquadWire.SquadMessageNotFound)
      .addError(TaskWire.TaskNotFound)
      .annotate(Requires, "comment:write")
      .annotate(
        OpenApi.Description,
        "Puts what somebody said elsewhere into the squad chat, as a reply to `target.squadMessageId` and in the name of `displayName`. Scripts, control characters and secrets are taken out of it; the rest is kept, and whoever shows it as HTML still escapes it. An adapter of either kind takes replies while it is enabled, and answers 409 while it is not. A reply counts once for an adapter and its `externalReplyId`: the first time the answer is 201, and 200 with the same message ever after, whatever the body then says. An unknown message or task is a 404. With `target.approvalId` it is about an approval, which needs `workflow:execute`, `task:write` or `admin:manage` too; it decides nothing: that is done where approvals are decided."
      )
  )
  .add(
    HttpApiEndpoint.post("poll", `${adapters}/:adapterId/poll`)
      .setPath(AdapterPath)
      .addSuccess(Reconciled)
      .addError(Wire.AdapterNotFound)
      .addError(Wire.AdapterOfOtherKind)
      .annotate(Requires, "settings:write")
      .annotate(
        OpenApi.Description,
        "Settles up to 100 deliveries that may or may not have arrived. Each stored event is verified anew; then the relay is asked for it by its id, and only one that it does not have is handed over again, the very same event. `resubmitted` counts those that left; one that the relay asks to wait for, or that a resting circuit holds back, stays unknown, and `reasonCode` says so. One that is older than the relay accepts becomes `failed` instead. The same is done by itself from a minute on; what nobody could ask for until it was too old is `failed` with `outcome_unknown`, and becomes `success` when the relay shows it after all."
      )
  )
  .add(
    HttpApiEndpoint.post("disconnect", `${adapters}/:adapterId/disconnect`)
      .setPath(AdapterPath)
      .addSuccess(Adapter)
      .addError(Wire.AdapterNotFound)
      .annotate(Requires, "settings:write")
      .annotate(
        OpenApi.Description,
        "Closes the connection and switches the adapter off. Configuration, mappings, cursor, waiting replies and deliveries stay; a PUT with `enabled: true` goes on where it stopped."
      )
  )
  .add(
    HttpApiEndpoint.get("threads", "/integrations/communication/mappings")
      .setUrlParams(ThreadQuery)
      .addSuccess(Schema.Array(ThreadMapping))
      .annotate(Requires, "settings:read")
      .annotate(
        OpenApi.Description,
        "Which message of the squad chat is which event elsewhere, newest first. `X-Total-Count` says how many fit."
      )
  )
  .add(
    HttpApiEndpoint.get("deliveries", "/integrations/communication/deliveries")
      .setUrlParams(DeliveryQuery)
      .addSuccess(Schema.Array(Delivery))
      .annotate(Requires, "settings:read")
      .annotate(
        OpenApi.Description,
        "What went out and came in, newest first: coordinates and codes, never texts or signatures. Edits, deletions and what was ignored stand here too. `X-Total-Count` says how many fit; the newest 10,000 are kept, and those whose outcome is open."
      )
  )
  .middleware(Authorization)
  .prefix("/api")
  .annotate(OpenApi.Title, "Communication adapters")
