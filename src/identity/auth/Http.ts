import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import { Effect } from "effect"
import { type ActorContext, asActor } from "../../kernel/Actor.ts"
import { Passwords } from "../passwords/Passwords.ts"
import { AuthApi, type AuthStatus } from "./Api.ts"
import { Auth } from "./Auth.ts"

export const AuthHttp = HttpApiBuilder.group(HttpApi.make("muster").add(AuthApi), "auth", (handlers) =>
  Effect.map(Effect.all([Auth, Passwords]), ([{ enabled }, { isSetUp }]) =>
    handlers.handle("status", () =>
      asActor((by) => Effect.map(isSetUp, (done) => statusOf({ enabled, setupRequired: !done }, by)))
    )
  )
)

const statusOf = (
  about: Pick<typeof AuthStatus.Type, "enabled" | "setupRequired">,
  by: ActorContext
): typeof AuthStatus.Type =>
  by.authMethod === "anonymous"
    ? {
        ...about,
        authenticated: false,
        role: null,
        method: null,
        userId: null,
        workspaceId: null,
        permissions: []
      }
    : {
        ...about,
        authenticated: true,
        role: by.role,
        method: by.authMethod,
        name: by.name,
        ...(by.tokenName === undefined ? {} : { tokenName: by.tokenName }),
        userId: by.userId,
        workspaceId: by.workspaceId,
        actorType: by.actorType,
        permissions: [...by.permissions],
        ...by.device,
        ...(by.capabilities === undefined ? {} : { capabilities: by.capabilities }),
        ...(by.degradedReason === undefined ? {} : { degradedReason: by.degradedReason })
      }
