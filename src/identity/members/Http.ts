import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import { Effect } from "effect"
import { asActor } from "../../kernel/Actor.ts"
import { MembersApi } from "./Api.ts"
import { Members } from "./Members.ts"

export const MembersHttp = HttpApiBuilder.group(
  HttpApi.make("muster").add(MembersApi),
  "members",
  (handlers) =>
    Effect.map(Members, (members) =>
      handlers
        .handle("profile", () => asActor(members.profile))
        .handle("workspaces", () => asActor(members.workspaces))
        .handle("switch", ({ payload }) => asActor((by) => members.switch(payload.workspaceId, by)))
        .handle("list", ({ path }) => asActor((by) => members.list(path.workspaceId, by)))
        .handle("update", ({ path, payload }) =>
          asActor((by) => members.setRole(path.workspaceId, path.id, payload.role, by))
        )
        .handle("remove", ({ path }) => asActor((by) => members.remove(path.workspaceId, path.id, by)))
    )
)
