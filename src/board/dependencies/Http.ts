import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import { Effect } from "effect"
import { asActor } from "../../kernel/Actor.ts"
import { taskPrecondition } from "../tasks/Http.ts"
import { DependenciesApi } from "./Api.ts"
import { Dependencies } from "./Dependencies.ts"

export const DependenciesHttp = HttpApiBuilder.group(
  HttpApi.make("muster").add(DependenciesApi),
  "dependencies",
  (handlers) =>
    Effect.map(Dependencies, (dependencies) =>
      handlers
        .handle("list", ({ path }) => dependencies.list(path.id))
        .handle("add", ({ headers, path, payload: { dependsOn, direction = "depends_on" } }) =>
          asActor((by) =>
            dependencies.add({ id: path.id, other: dependsOn, direction }, taskPrecondition(headers), by)
          )
        )
        .handle(
          "remove",
          ({ headers, path: { dependencyId, id }, urlParams: { direction = "depends_on" } }) =>
            asActor((by) =>
              dependencies.remove({ id, other: dependencyId, direction }, taskPrecondition(headers), by)
            )
        )
        .handle("graph", ({ path }) => dependencies.graph(path.id))
        .handle("blockingStatus", ({ path }) => dependencies.blockingStatus(path.id))
    )
)
