import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import { Effect } from "effect"
import { asActor } from "../../kernel/Actor.ts"
import { taskPrecondition } from "../tasks/Http.ts"
import { ProgressApi } from "./Api.ts"
import { Progress } from "./Progress.ts"

export const ProgressHttp = HttpApiBuilder.group(
  HttpApi.make("muster").add(ProgressApi),
  "progress",
  (handlers) =>
    Effect.map(Progress, (progress) =>
      handlers
        .handle("get", ({ path }) => progress.get(path.id))
        .handle("set", ({ headers, path, payload }) =>
          asActor((by) => progress.set(path.id, payload.content, taskPrecondition(headers), by))
        )
        .handle("append", ({ headers, path, payload }) =>
          asActor((by) => progress.append(path.id, payload, taskPrecondition(headers), by))
        )
    )
)
