import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as HttpApiSwagger from "@effect/platform/HttpApiSwagger"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as OpenApi from "@effect/platform/OpenApi"
import { Effect, Layer } from "effect"
import { Api } from "../Api.ts"
import { docsPage } from "./DocsPage.ts"

/** The OpenAPI document of the contract. */
export const openApi = (): OpenApi.OpenAPISpec => OpenApi.fromApi(Api)

/** The secret of a link is its fragment, which a browser keeps to itself; a page that ran a script could read it. */
const pairPage = HttpServerResponse.text(
  `This link pairs a device with the board, once and within five minutes.
Give the whole link, as it is, to the client on that device. A client redeems it with

  POST /api/auth/device-pairing/exchange {"payload": "<the link>"}

and sends the token of the answer as Authorization: Bearer.
`,
  { headers: { "referrer-policy": "no-referrer", "cache-control": "no-store" } }
)

/** A router of its own with the page for readers alone. */
const docsRouter = (api: typeof HttpApi.Api.Service) =>
  Effect.provide(
    Effect.map(HttpApiBuilder.Router.router, (router) => Effect.orDie(router)),
    HttpApiSwagger.layer({ path: "/docs" }).pipe(
      Layer.provideMerge(HttpApiBuilder.Router.Live),
      Layer.provide(Layer.succeed(HttpApi.Api, api))
    )
  )

/**
 * The contract for readers: `/api/openapi.json`, and a page at `/docs` that carries its own script, so that it works
 * without a network. Both are made when somebody asks for them: a start need not wait for the tenth of a second that
 * they take. A pairing link leads to `/pair`, which says what to do with it. These three and `/ws` are the only
 * routes outside of the contract, and they are public.
 */
export const layer = HttpApiBuilder.Router.use((router) =>
  Effect.gen(function* () {
    const json = yield* Effect.cached(Effect.sync(() => HttpServerResponse.unsafeJson(openApi())))
    const docs = yield* Effect.cached(
      Effect.map(Effect.flatten(docsRouter(yield* HttpApi.Api)), ({ body }) => {
        const made = body._tag === "Uint8Array" ? Buffer.from(body.body).toString() : ""
        const { html, policy } = docsPage(made)
        return HttpServerResponse.text(html, {
          contentType: "text/html; charset=utf-8",
          headers: { "content-security-policy": policy, "referrer-policy": "no-referrer" }
        })
      })
    )
    yield* router.get("/api/openapi.json", json)
    yield* router.get("/docs", docs)
    yield* router.get("/pair", Effect.succeed(pairPage))
  })
)
