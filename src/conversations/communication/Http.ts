import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { Effect } from "effect"
import { asActor } from "../../kernel/Actor.ts"
import { respondPage } from "../../kernel/Paging.ts"
import { Adapters } from "../adapters/Adapters.ts"
import { Replies } from "../replies/Replies.ts"
import { CommunicationApi } from "./Api.ts"
import { Communication } from "./Communication.ts"

export const CommunicationHttp = HttpApiBuilder.group(
  HttpApi.make("muster").add(CommunicationApi),
  "communication",
  (handlers) =>
    Effect.gen(function* () {
      const adapters = yield* Adapters
      const communication = yield* Communication
      const replies = yield* Replies
      return handlers
        .handle("adapters", () => Effect.map(adapters.list, (all) => all.map(adapters.shown)))
        .handle("putAdapter", ({ path, payload }) =>
          Effect.map(
            asActor((by) => adapters.put(path.adapterId, payload, by)),
            adapters.shown
          )
        )
        .handle("removeAdapter", ({ path }) => asActor((by) => adapters.remove(path.adapterId, by)))
        .handle("health", ({ path }) => communication.health(path.adapterId))
        .handle("test", ({ path }) => communication.test(path.adapterId))
        .handle("send", ({ path, payload }) =>
          asActor((by) => communication.send(path.adapterId, payload, by))
        )
        .handle("replies", ({ path, payload }) =>
          Effect.map(
            asActor((by) => replies.ingest(path.adapterId, payload, by)),
            ({ message, replayed }) =>
              HttpServerResponse.unsafeJson(message, { status: replayed ? 200 : 201 })
          )
        )
        .handle("poll", ({ path }) => communication.poll(path.adapterId))
        .handle("disconnect", ({ path }) =>
          Effect.map(
            asActor((by) => adapters.disconnect(path.adapterId, by)),
            adapters.shown
          )
        )
        .handle("threads", ({ urlParams }) => Effect.map(communication.threads(urlParams), respondPage))
        .handle("deliveries", ({ urlParams }) => Effect.map(communication.deliveries(urlParams), respondPage))
    })
)
