import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import { Effect } from "effect"
import { asActor } from "../../kernel/Actor.ts"
import { respondCreatedTask, respondTask, taskPrecondition } from "../tasks/Http.ts"
import { CommentsApi } from "./Api.ts"
import { Comments } from "./Comments.ts"

export const CommentsHttp = HttpApiBuilder.group(
  HttpApi.make("muster").add(CommentsApi),
  "comments",
  (handlers) =>
    Effect.map(Comments, (comments) =>
      handlers
        .handle("add", ({ headers, path, payload }) =>
          asActor((by) =>
            Effect.map(comments.add(path.id, payload, taskPrecondition(headers), by), respondCreatedTask)
          )
        )
        .handle("change", ({ headers, path: { commentId, id }, payload }) =>
          asActor((by) =>
            Effect.map(comments.change(id, commentId, payload, taskPrecondition(headers), by), respondTask)
          )
        )
        .handle("remove", ({ headers, path: { commentId, id } }) =>
          asActor((by) => comments.remove(id, commentId, taskPrecondition(headers), by))
        )
    )
)
