import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { Effect } from "effect"
import { frontPage } from "./FrontPage.ts"

/** The secret of a link is its fragment, which a browser keeps to itself; a page that ran a script could read it. */
const pairPage = HttpServerResponse.text(
  `This link pairs a device with the board, once and within five minutes.
Give the whole link, as it is, to the client on that device. A client redeems it with

  POST /api/auth/device-pairing/exchange {"payload": "<the link>"}

and sends the token of the answer as Authorization: Bearer.
`,
  { headers: { "referrer-policy": "no-referrer", "cache-control": "no-store" } }
)

/**
 * What nobody needs until somebody reads: the examples, the document made with them, and the two megabytes of the page.
 * Whoever asks first waits for it; if they go meanwhile, it is made all the same.
 */
const onFirstUse = <A, E, R>(make: Effect.Effect<A, E, R>) => Effect.cached(Effect.uninterruptible(make))

/**
 * The contract for readers: `/api/openapi.json`, and a page at `/docs` that carries its own script, so that it works
 * without a network. Both are loaded and made when somebody asks for them: neither a start nor a command need wait for
 * them. A pairing link leads to `/pair`, which says what to do with it, and `/` shows a browser where it is. These four and
 * `/ws` are the only routes outside of the contract, and they are public.
 */
export const layer = HttpApiBuilder.Router.use((router) =>
  Effect.gen(function* () {
    const api = yield* HttpApi.Api
    const json = yield* onFirstUse(
      Effect.map(
        Effect.promise(() => import("./ContractDocument.ts")),
        ({ openApi }) => HttpServerResponse.unsafeJson(openApi())
      )
    )
    const docs = yield* onFirstUse(
      Effect.flatMap(
        Effect.promise(() => import("./DocsPage.ts")),
        ({ docsResponse }) => docsResponse(api)
      )
    )
    yield* router.get("/api/openapi.json", json)
    yield* router.get("/docs", docs)
    yield* router.get("/pair", Effect.succeed(pairPage))
    yield* router.get("/", frontPage)
  })
)
