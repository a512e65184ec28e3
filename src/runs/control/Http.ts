import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import { Effect } from "effect"
import { asActor } from "../../kernel/Actor.ts"
import { Completions } from "../completion/Completions.ts"
import { ControlApi } from "./Api.ts"
import { RunControl } from "./RunControl.ts"

export const ControlHttp = HttpApiBuilder.group(
  HttpApi.make("muster").add(ControlApi),
  "control",
  (handlers) =>
    Effect.zipWith(RunControl, Completions, (control, completions) =>
      handlers
        .handle("status", ({ path, urlParams }) => control.status(path.taskId, urlParams.attemptId))
        .handle("stop", ({ path, payload }) =>
          asActor((by) => control.stop(path.taskId, payload.attemptId, by))
        )
        .handle("tokens", ({ path, payload }) => asActor((by) => control.tokens(path.taskId, payload, by)))
        .handle("message", ({ path, payload }) => asActor((by) => control.message(path.taskId, payload, by)))
        .handle("complete", ({ path, payload }) =>
          asActor((by) => completions.complete(path.taskId, payload, by))
        )
    )
)
