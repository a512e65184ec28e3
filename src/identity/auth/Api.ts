import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import { Authorization, Requires } from "../../kernel/Authorization.ts"
import { optional } from "../../kernel/Optional.ts"
import { Permission, Role } from "../../kernel/Permission.ts"

/**
 * Whether authentication is on, and who the request speaks for: the auth context (spec 1-core, Authentication, rule 5).
 */
export const AuthStatus = Schema.Struct({
  enabled: Schema.Boolean,
  authenticated: Schema.Boolean,
  role: Schema.NullOr(Role),
  method: Schema.NullOr(
    Schema.Literal(
      "api-key",
      "api-token",
      "device-session",
      "password-session",
      "localhost-bypass",
      "auth-disabled"
    )
  ),
  name: optional(Schema.String).annotations({
    description: "Who acts, as records show it: `createdBy`, the assignee of a claim"
  }),
  tokenName: optional(Schema.String),
  userId: Schema.NullOr(Schema.String),
  workspaceId: Schema.NullOr(Schema.String),
  actorType: optional(Schema.Literal("user", "agent", "service")),
  permissions: Schema.Array(Permission),
  deviceSessionId: optional(Schema.String),
  deviceId: optional(Schema.String),
  clientId: optional(Schema.String),
  clientMode: optional(Schema.String),
  capabilities: optional(Schema.Array(Schema.String)),
  degradedReason: optional(Schema.String),
  setupRequired: Schema.Boolean.annotations({
    description: "True until the owner has a password; keys and tokens need none"
  })
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
