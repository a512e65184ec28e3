import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import { Effect } from "effect"
import { asActor } from "../../kernel/Actor.ts"
import { respondPage } from "../../kernel/Paging.ts"
import { HooksApi } from "./Api.ts"
import { shownTo } from "./definitions/ActionRules.ts"
import { Hooks } from "./Hooks.ts"

export const HooksHttp = HttpApiBuilder.group(HttpApi.make("muster").add(HooksApi), "hooks", (handlers) =>
  Effect.map(Hooks, (hooks) =>
    handlers
      .handle("list", () => asActor((by) => Effect.map(hooks.list, (all) => all.map(shownTo(by)))))
      .handle("executions", ({ urlParams }) => Effect.map(hooks.executions(urlParams), respondPage))
      .handle("create", ({ payload }) => asActor((by) => hooks.create(payload, by)))
      .handle("get", ({ path }) => asActor((by) => Effect.map(hooks.get(path.id), shownTo(by))))
      .handle("patch", ({ path, payload }) => asActor((by) => hooks.patch(path.id, payload, by)))
      .handle("remove", ({ path }) => asActor((by) => hooks.remove(path.id, by)))
      .handle("fire", ({ payload }) => asActor((by) => hooks.fire(payload, by)))
  )
)
