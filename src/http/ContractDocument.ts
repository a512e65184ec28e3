import type * as HttpApi from "@effect/platform/HttpApi"
import type * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import { Api, guards } from "../Api.ts"
import { contents } from "../Contents.ts"
import { examples } from "../Examples.ts"
import { openApiDocument } from "../kernel/OpenApiDocument.ts"
import type { RouteGuard } from "../kernel/RouteGuard.ts"
import { routeRules } from "../kernel/RouteRules.ts"

/** A contract with what a reader of it needs beside what a client does: an order, who may do what, and examples. */
export const described = <Id extends string, Groups extends HttpApiGroup.HttpApiGroup.Any, E, R>(
  api: HttpApi.HttpApi<Id, Groups, E, R>,
  guards: ReadonlyArray<RouteGuard>
) =>
  api.annotate(OpenApi.Transform, (generated) =>
    openApiDocument(generated, { rules: routeRules(api, guards), contents, examples })
  )

/** The OpenAPI document of the contract. */
export const openApi = (): OpenApi.OpenAPISpec => OpenApi.fromApi(described(Api, guards))
