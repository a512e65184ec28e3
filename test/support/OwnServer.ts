import type { HttpApi } from "@effect/platform"
import { NodeHttpServer } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import * as Authorization from "../../src/http/Authorization.ts"
import type { ContractTables } from "../../src/http/ContractTables.ts"
import * as ExplicitCredential from "../../src/http/ExplicitCredential.ts"
import * as Failures from "../../src/http/Failures.ts"
import type { Lane } from "../../src/http/Lane.ts"
import { NodeServer } from "../../src/http/NodeServer.ts"
import { layerRequests, ServerAddress } from "../../src/http/Server.ts"

/**
 * Serves a contract of a test's own behind the real door and the real guards, for the principals of the world that is
 * there. Build it beside that world and not together with it: the two must not share a server.
 */
export const layerOwnServer = <R>(
  served: Layer.Layer<HttpApi.Api, never, R>,
  tables: Layer.Layer<ContractTables>,
  lanes: ReadonlyArray<Lane> = []
) =>
  ServerAddress.layer({ host: "127.0.0.1", port: 0 }).pipe(
    Layer.provide(layerRequests({ allowedHosts: [], allowedOrigins: [] }, Effect.succeed(lanes))),
    Layer.provide(Failures.layer),
    Layer.provide(served),
    Layer.provide([Authorization.layer, ExplicitCredential.layer]),
    Layer.provide(Layer.merge(tables, NodeServer.layer)),
    Layer.provide(NodeHttpServer.layerContext)
  )
