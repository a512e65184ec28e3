import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import { Effect } from "effect"
import { asActor } from "../../kernel/Actor.ts"
import { TokensApi } from "./Api.ts"
import { ApiTokens } from "./ApiTokens.ts"

export const TokensHttp = HttpApiBuilder.group(HttpApi.make("muster").add(TokensApi), "tokens", (handlers) =>
  Effect.map(ApiTokens, (tokens) =>
    handlers
      .handle("list", ({ urlParams }) => tokens.list(urlParams.limit))
      .handle("create", ({ payload }) => asActor((by) => tokens.create(payload, by)))
      .handle("revoke", ({ path }) => asActor((by) => tokens.revoke(path.id, by)))
  )
)
