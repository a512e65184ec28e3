import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { Effect } from "effect"
import { asActor } from "../../../kernel/Actor.ts"
import { RepliesApi } from "./Api.ts"
import { Replies } from "./Replies.ts"

export const RepliesHttp = HttpApiBuilder.group(
  HttpApi.make("muster").add(RepliesApi),
  "replies",
  (handlers) =>
    Effect.map(Replies, (replies) =>
      handlers.handle("post", ({ path, payload }) =>
        Effect.map(
          asActor((by) => replies.ingest(path.adapterId, payload, by)),
          ({ message, replayed }) => HttpServerResponse.unsafeJson(message, { status: replayed ? 200 : 201 })
        )
      )
    )
)
