import { createHash } from "node:crypto"
import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as HttpApiSwagger from "@effect/platform/HttpApiSwagger"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { Effect, Layer } from "effect"
import { guards } from "../Api.ts"
import { described } from "./ContractDocument.ts"

/*
 * The page of the contract, from the one that the platform makes: with a box that looks through everything that is said
 * of an operation, and with nothing that could come from elsewhere.
 */

/** How the platform's page ends the settings of Swagger UI. */
const settings = "dom_id: '#swagger-ui',"

/**
 * Shows the operations in which every word of the box stands, anywhere: its path, its method, its name, what is said
 * of it. By itself the box looks at the titles of groups alone.
 */
const search = `
        filter: true,
        validatorUrl: null,
        defaultModelsExpandDepth: -1,
        plugins: [() => ({ fn: { opsFilter: (groups, phrase) => {
          const words = phrase.toLowerCase().split(/\\s+/).filter((word) => word !== "")
          const holds = (group) => (one) => {
            const said = [group, one.get("method"), one.get("path")]
              .concat(["operationId", "summary", "description"].map((name) => one.getIn(["operation", name])))
              .join(" ").toLowerCase()
            return words.every((word) => said.includes(word))
          }
          return groups
            .map((group, title) => group.set("operations", group.get("operations").filter(holds(title))))
            .filter((group) => group.get("operations").size > 0)
        } } })],`

/** The version of OpenAPI would be a second number beside the one of the contract. */
const style =
  ".info .title small.version-stamp { display: none !important } .filter-container .operation-filter-input { width: 100% }"

/** What a page is allowed, and the page. */
export interface DocsPage {
  readonly html: string
  readonly policy: string
}

const scripts = /<script>([\s\S]*?)<\/script>/g

/** Finishes the platform's page. The scripts that it holds may run, by their digests, and no others. */
export const docsPage = (made: string): DocsPage => {
  if (!made.includes(settings)) throw new Error("The platform's page of the contract has another form now")
  const html = made
    .replace(settings, () => `${settings}${search}`)
    .replace("</style>", () => `${style}</style>`)
  const digests = Array.from(
    html.matchAll(scripts),
    ([, script = ""]) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`
  )
  const policy = [
    "default-src 'none'",
    `script-src ${digests.join(" ")}`,
    "style-src 'unsafe-inline'",
    "img-src data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'"
  ].join("; ")
  return { html, policy }
}

/** A router of its own with the platform's page alone. */
const platformRouter = ({ api, context }: typeof HttpApi.Api.Service) =>
  Effect.provide(
    Effect.map(HttpApiBuilder.Router.router, (router) => Effect.orDie(router)),
    HttpApiSwagger.layer({ path: "/docs" }).pipe(
      Layer.provideMerge(HttpApiBuilder.Router.Live),
      Layer.provide(Layer.succeed(HttpApi.Api, { api: described(api, guards), context }))
    )
  )

/** The page of a contract, as it is answered. */
export const docsResponse = (api: typeof HttpApi.Api.Service) =>
  Effect.map(Effect.flatten(platformRouter(api)), ({ body }) => {
    const { html, policy } = docsPage(body._tag === "Uint8Array" ? Buffer.from(body.body).toString() : "")
    return HttpServerResponse.text(html, {
      contentType: "text/html; charset=utf-8",
      headers: { "content-security-policy": policy, "referrer-policy": "no-referrer" }
    })
  })
