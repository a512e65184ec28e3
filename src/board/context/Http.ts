import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import { Effect } from "effect"
import { respondTask } from "../tasks/Http.ts"
import { ContextApi } from "./Api.ts"
import { TaskContexts } from "./TaskContexts.ts"

export const ContextHttp = HttpApiBuilder.group(
  HttpApi.make("muster").add(ContextApi),
  "context",
  (handlers) =>
    Effect.map(TaskContexts, (contexts) =>
      handlers.handle("get", ({ path }) => Effect.map(contexts.get(path.id), respondTask))
    )
)
