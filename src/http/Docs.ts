import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as HttpApiSwagger from "@effect/platform/HttpApiSwagger"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as OpenApi from "@effect/platform/OpenApi"
import { Effect, Layer } from "effect"
import { Api } from "../Api.ts"

/** The OpenAPI document of the contract. */
export const openApi = (): OpenApi.OpenAPISpec => OpenApi.fromApi(Api)

/**
 * The contract for readers: `/api/openapi.json`, and a page at `/docs` that carries its own script, so that it works
 * without a network. These two and `/ws` are the only routes outside of the contract, and they are public.
 */
export const layer = Layer.mergeAll(
  HttpApiBuilder.Router.use((router) =>
    router.get("/api/openapi.json", Effect.succeed(HttpServerResponse.unsafeJson(openApi())))
  ),
  HttpApiSwagger.layer({ path: "/docs" })
)
