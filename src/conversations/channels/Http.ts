import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import { Effect } from "effect"
import { asActor } from "../../kernel/Actor.ts"
import { RelayChannelsApi } from "./Api.ts"
import { Channels } from "./Channels.ts"

export const RelayChannelsHttp = HttpApiBuilder.group(
  HttpApi.make("muster").add(RelayChannelsApi),
  "relayChannels",
  (handlers) =>
    Effect.map(Channels, (channels) =>
      handlers
        .handle("list", ({ path }) => channels.list(path.adapterId))
        .handle("put", ({ path, payload }) =>
          asActor((by) => channels.put(path.adapterId, path.channelId, payload, by))
        )
        .handle("remove", ({ path }) => asActor((by) => channels.remove(path.adapterId, path.channelId, by)))
        .handle("disable", ({ path }) =>
          asActor((by) => channels.disable(path.adapterId, path.channelId, by))
        )
    )
)
