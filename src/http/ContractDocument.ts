import type * as HttpApi from "@effect/platform/HttpApi"
import type * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import { Api } from "../Api.ts"
import { contents } from "../Contents.ts"
import { examples } from "../Examples.ts"
import { openApiDocument } from "../kernel/OpenApiDocument.ts"
import { requirements } from "../kernel/RouteRules.ts"

/** A contract with what a reader of it needs beside what a client does: an order, permissions and examples. */
export const described = <Id extends string, Groups extends HttpApiGroup.HttpApiGroup.Any, E, R>(
  api: HttpApi.HttpApi<Id, Groups, E, R>
) =>
  api.annotate(OpenApi.Transform, (generated) =>
    openApiDocument(generated, { permissions: requirements(api), contents, examples })
  )

/** The OpenAPI document of the contract. */
export const openApi = (): OpenApi.OpenAPISpec => OpenApi.fromApi(described(Api))
