import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import { Effect } from "effect"
import { type ActorContext, asActor } from "../../kernel/Actor.ts"
import { AuthApi } from "./Api.ts"
import { Auth } from "./Auth.ts"

export const AuthHttp = HttpApiBuilder.group(HttpApi.make("muster").add(AuthApi), "auth", (handlers) =>
  Effect.map(Auth, ({ enabled }) =>
    handlers.handle("status", () => asActor((by) => Effect.succeed(statusOf(enabled, by))))
  )
)

const statusOf = (enabled: boolean, by: ActorContext) =>
  by.authMethod === "anonymous"
    ? {
        enabled,
        authenticated: false,
        role: null,
        method: null,
        userId: null,
        workspaceId: null,
        permissions: [],
        setupRequired: false
      }
    : {
        enabled,
        authenticated: true,
        role: by.role,
        method: by.authMethod,
        ...(by.tokenName === undefined ? {} : { tokenName: by.tokenName }),
        userId: by.userId,
        workspaceId: by.workspaceId,
        permissions: [...by.permissions],
        setupRequired: false
      }
