import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import { Effect } from "effect"
import { asActor } from "../../kernel/Actor.ts"
import { ReposApi } from "./Api.ts"
import { Repos } from "./Repos.ts"

export const ReposHttp = HttpApiBuilder.group(HttpApi.make("muster").add(ReposApi), "repos", (handlers) =>
  Effect.map(Repos, (repos) =>
    handlers
      .handle("list", () => repos.list)
      .handle("add", ({ payload }) => asActor((by) => repos.add(payload, by)))
      .handle("patch", ({ path, payload }) => asActor((by) => repos.patch(path.name, payload, by)))
      .handle("remove", ({ path }) => asActor((by) => repos.remove(path.name, by)))
      .handle("validate", ({ payload }) => repos.validate(payload))
      .handle("branches", ({ path }) => repos.branches(path.name))
  )
)
