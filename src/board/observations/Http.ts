import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import { Effect } from "effect"
import { asActor } from "../../kernel/Actor.ts"
import { respondPage } from "../../kernel/Paging.ts"
import { ObservationsApi } from "./Api.ts"
import { Observations } from "./Observations.ts"

export const ObservationsHttp = HttpApiBuilder.group(
  HttpApi.make("muster").add(ObservationsApi),
  "observations",
  (handlers) =>
    Effect.map(Observations, (observations) =>
      handlers
        .handle("createOnTask", ({ path, payload }) =>
          asActor((by) => observations.create(path.id, payload, by))
        )
        .handle("listOfTask", ({ path, urlParams }) =>
          Effect.map(observations.ofTask(path.id, urlParams.limit), (found) => ({
            success: true as const,
            observations: found
          }))
        )
        .handle("removeFromTask", ({ path }) =>
          asActor((by) => observations.remove({ id: path.observationId, taskId: path.id }, by))
        )
        .handle("create", ({ payload: { taskId, ...draft } }) =>
          asActor((by) =>
            Effect.map(observations.create(taskId, draft, by), (observation) => ({
              success: true as const,
              observation
            }))
          )
        )
        .handle("list", ({ urlParams }) => Effect.map(observations.list(urlParams), respondPage))
        .handle("search", ({ urlParams }) => observations.search(urlParams))
        .handle("remove", ({ path }) => asActor((by) => observations.remove({ id: path.observationId }, by)))
    )
)
