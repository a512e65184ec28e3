import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import { Authorization, Requires } from "../../kernel/Authorization.ts"
import { created } from "../../kernel/Created.ts"
import { IdParam } from "../../kernel/IdParam.ts"
import { Limit } from "../../kernel/Paging.ts"
import * as MemberWire from "../members/Wire.ts"
import { GrantTooWideWire } from "../principals/GrantLimit.ts"
import { ApiToken, ApiTokenDraft, NewApiToken } from "./ApiToken.ts"
import * as Wire from "./Wire.ts"

export const TokensApi = HttpApiGroup.make("tokens")
  .add(
    HttpApiEndpoint.get("list", "/auth/tokens")
      .setUrlParams(Schema.Struct({ limit: Schema.optional(Limit) }))
      .addSuccess(Schema.Array(ApiToken))
      .annotate(Requires, "admin:manage")
      .annotate(
        OpenApi.Description,
        "The newest API tokens, those that were revoked among them, without their secrets."
      )
  )
  .add(
    HttpApiEndpoint.post("create", "/auth/tokens")
      .setPayload(ApiTokenDraft)
      .addSuccess(created(NewApiToken))
      .addError(MemberWire.WorkspaceNotFound)
      .addError(MemberWire.MemberNotFound)
      .addError(GrantTooWideWire)
      .addError(Wire.TokenExpiryPast)
      .addError(Wire.ApiTokenLimit)
      .annotate(Requires, "admin:manage")
      .annotate(
        OpenApi.Description,
        "Makes a token for `X-API-Key`, which is in this answer and nowhere else: only its hash is stored. It stands on a membership, by default on the caller's: its role is never above the member's, scopes that the role does not have are left out, and it ends with the membership. Without scopes it has all of its role's. One scope goes beyond a role: `agent:write`, when it is named, for a token of the role agent; what controls runs takes it from a caller on the machine of the server alone. More than the caller holds is a 403 that names what is missing."
      )
  )
  .add(
    HttpApiEndpoint.del("revoke", "/auth/tokens/:id")
      .setPath(Schema.Struct({ id: IdParam }))
      .addSuccess(HttpApiSchema.NoContent)
      .addError(Wire.ApiTokenNotFound)
      .annotate(Requires, "admin:manage")
      .annotate(
        OpenApi.Description,
        "Ends a token with the next request; WebSockets that it opened are closed with 4401. Keys of the environment end there."
      )
  )
  .middleware(Authorization)
  .prefix("/api")
  .annotate(OpenApi.Title, "API tokens")
