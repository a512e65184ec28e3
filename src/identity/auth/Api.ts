import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import { Authorization, Requires } from "../../kernel/Authorization.ts"
import { Permission, Role } from "../../kernel/Permission.ts"

/** Whether authentication is on, and who the request speaks for. */
export const AuthStatus = Schema.Struct({
  enabled: Schema.Boolean,
  authenticated: Schema.Boolean,
  role: Schema.NullOr(Role),
  method: Schema.NullOr(Schema.Literal("api-key", "localhost-bypass", "auth-disabled")),
  tokenName: Schema.optionalWith(Schema.String, { exact: true }),
  userId: Schema.NullOr(Schema.String),
  workspaceId: Schema.NullOr(Schema.String),
  permissions: Schema.Array(Permission),
  setupRequired: Schema.Boolean
}).annotations({ identifier: "AuthStatus" })

export const AuthApi = HttpApiGroup.make("auth")
  .add(
    HttpApiEndpoint.get("status", "/auth/status")
      .addSuccess(AuthStatus)
      .annotate(Requires, "public")
      .annotate(
        OpenApi.Description,
        "Whether authentication is on, and who the credential of this request speaks for. A credential that is not valid reads as `authenticated: false`."
      )
  )
  .middleware(Authorization)
  .prefix("/api")
  .annotate(OpenApi.Title, "Authentication")
