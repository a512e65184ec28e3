import { NodeContext } from "@effect/platform-node"
import { Layer } from "effect"
import type { Hub } from "../../src/http/Hub.ts"
import { NodeServer } from "../../src/http/NodeServer.ts"
import { ServerAddress } from "../../src/http/Server.ts"
import * as WebSocket from "../../src/http/WebSocket.ts"
import { Identity } from "../../src/identity/Identity.ts"
import { LiveConnections } from "../../src/kernel/LiveConnections.ts"
import { Workers } from "../../src/kernel/Worker.ts"
import type { Subscription } from "../../src/storage/events/Subscription.ts"
import type { Storage } from "../../src/storage/Storage.ts"
import { storage } from "./TestStorage.ts"
import { testSettings } from "./World.ts"

const { access, auth } = testSettings("")

/** The live stream of a server that answers nothing else, over a store of its own. */
export const streamServer = (
  hub: Layer.Layer<Hub, never, Storage>,
  subscriptions: ReadonlyArray<Subscription> = []
) =>
  ServerAddress.layer({ host: "127.0.0.1", port: 0 }).pipe(
    Layer.provide(WebSocket.layer(access, subscriptions)),
    Layer.provide(NodeServer.layer),
    Layer.provide(hub),
    Layer.provide(LiveConnections.layer),
    Layer.provide(Identity(auth)),
    Layer.provide(Workers.layer),
    Layer.provide(NodeContext.layer),
    Layer.provideMerge(storage)
  )
