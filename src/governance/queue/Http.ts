import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import { Effect } from "effect"
import { asActor } from "../../kernel/Actor.ts"
import * as Conditional from "../../kernel/Conditional.ts"
import { QueueApi } from "./Api.ts"
import { Queue } from "./Queue.ts"

export const QueueHttp = HttpApiBuilder.group(
  HttpApi.make("muster").add(QueueApi),
  "admissionQueue",
  (handlers) =>
    Effect.map(Queue, (queue) =>
      handlers
        .handle("list", ({ headers, urlParams }) =>
          Effect.map(queue.list(urlParams), ({ content, value }) =>
            Conditional.respond(value, content, headers)
          )
        )
        .handle("inspect", ({ headers, path }) =>
          Effect.map(queue.inspect(path.id), ({ content, value }) =>
            Conditional.respond(value, content, headers)
          )
        )
        .handle("cancel", ({ path }) => asActor((by) => queue.cancel(path.id, by)))
    )
)
