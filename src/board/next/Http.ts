import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import { Effect } from "effect"
import { asActor } from "../../kernel/Actor.ts"
import { respondTask, taskPrecondition } from "../tasks/Http.ts"
import { NextApi } from "./Api.ts"
import { NextTasks } from "./NextTasks.ts"

export const NextHttp = HttpApiBuilder.group(HttpApi.make("muster").add(NextApi), "next", (handlers) =>
  Effect.map(NextTasks, (next) =>
    handlers
      .handle("get", ({ urlParams }) => asActor((by) => next.next(urlParams, by)))
      .handle("claimNext", ({ payload }) => asActor((by) => next.claimNext(payload, by)))
      .handle("claim", ({ headers, path, payload }) =>
        asActor((by) => Effect.map(next.claim(path.id, payload, taskPrecondition(headers), by), respondTask))
      )
  )
)
