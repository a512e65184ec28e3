import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import { Authorization, Requires } from "../../kernel/Authorization.ts"
import { AdapterIdParam } from "../adapters/Adapter.ts"
import * as CommunicationWire from "../adapters/Wire.ts"
import { ChannelIdParam, Mapping, MappingBody } from "../mappings/Mapping.ts"
import * as Wire from "./Wire.ts"

const AdapterPath = Schema.Struct({ adapterId: AdapterIdParam })
const ChannelPath = Schema.Struct({ adapterId: AdapterIdParam, channelId: ChannelIdParam })

const channels = "/integrations/communication/adapters/:adapterId/relay/channels"

export const RelayChannelsApi = HttpApiGroup.make("relayChannels")
  .add(
    HttpApiEndpoint.get("list", channels)
      .setPath(AdapterPath)
      .addSuccess(Schema.Array(Mapping))
      .addError(CommunicationWire.AdapterNotFound)
      .addError(CommunicationWire.AdapterOfOtherKind)
      .annotate(Requires, "settings:read")
      .annotate(OpenApi.Description, "The channels that the adapter knows, in the order of their mapping.")
  )
  .add(
    HttpApiEndpoint.put("put", `${channels}/:channelId`)
      .setPath(ChannelPath)
      .setPayload(MappingBody)
      .addSuccess(Mapping)
      .addError(CommunicationWire.AdapterNotFound)
      .addError(CommunicationWire.AdapterOfOtherKind)
      .addError(Wire.MappingConflict)
      .addError(Wire.MappingLimitReached)
      .annotate(Requires, "settings:write")
      .annotate(
        OpenApi.Description,
        "Leads a channel to the squad chat, or changes its mapping. One channel of an adapter is enabled at a time: while another one is, the answer is 409 naming it, and nothing changes. `actor` is who brings the messages in: they show it as `createdBy`. A new mapping begins with what was said in the last 15 minutes; one that is enabled again goes on where it stopped, so what was said in between still comes."
      )
  )
  .add(
    HttpApiEndpoint.post("disable", `${channels}/:channelId/disable`)
      .setPath(ChannelPath)
      .addSuccess(Mapping)
      .addError(CommunicationWire.AdapterNotFound)
      .addError(CommunicationWire.AdapterOfOtherKind)
      .addError(Wire.MappingNotFound)
      .annotate(Requires, "settings:write")
      .annotate(
        OpenApi.Description,
        "Switches a mapping off. It keeps its id, its cursor, the events of its messages and their deliveries."
      )
  )
  .add(
    HttpApiEndpoint.del("remove", `${channels}/:channelId`)
      .setPath(ChannelPath)
      .addSuccess(HttpApiSchema.NoContent)
      .addError(CommunicationWire.AdapterNotFound)
      .addError(CommunicationWire.AdapterOfOtherKind)
      .addError(Wire.MappingNotFound)
      .addError(Wire.MappingInUse)
      .annotate(Requires, "admin:manage")
      .annotate(
        OpenApi.Description,
        "Forgets a mapping that is switched off, with its id, its cursor, the replies that wait for what they answer, and its workflow triggers. Messages, threads, deliveries, and what triggers have started and noted, stay: mapped again, the channel gets another id and begins with the last 15 minutes, and nothing that is known comes twice. While the mapping is enabled, or messages are on their way to its channel, the answer is 409 saying so, and nothing changes."
      )
  )
  .middleware(Authorization)
  .prefix("/api")
  .annotate(OpenApi.Title, "Relay channels")
