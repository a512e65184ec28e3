import { createHash } from "node:crypto"
import * as HttpServerError from "@effect/platform/HttpServerError"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { Effect } from "effect"

/*
 * What stands at the address that the greeting prints, for a person with a browser. Programs that ask there get what
 * every unknown route gives.
 */

const style = `
body { max-width: 44rem; margin: 3rem auto; padding: 0 1rem; font: 1rem/1.6 system-ui, sans-serif; color: #1c1c1c; background: #fff }
pre { padding: .7rem 1rem; overflow-x: auto; background: #f3f3f3; border-radius: .3rem }
h1 { margin-bottom: 0 } dt { font-weight: 600 } a { color: #0b57d0 }
@media (prefers-color-scheme: dark) { body { color: #e4e4e4; background: #161616 } pre { background: #262626 } a { color: #8ab4f8 } }
`

const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'"
].join("; ")

/** The page, for a server that is called by this name. */
const page = (host: string): string => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Muster</title><style>${style}</style></head>
<body>
<h1>Muster</h1>
<p>A task board for people and software agents. It is up; this is its HTTP API, and there is no page of the board itself.</p>
<dl>
<dt><a href="/docs">/docs</a></dt><dd>The whole API: every operation with examples and the permission that it needs. For programs: <a href="/api/openapi.json">/api/openapi.json</a></dd>
<dt><a href="/health/ready">/health/ready</a></dt><dd>Whether the server can do its work</dd>
</dl>
<h2>From a terminal</h2>
<p>The <code>muster</code> command works with the board. In the directory of the checkout:</p>
<pre>npx muster list
npx muster create Write the release notes
npx muster --help</pre>
<h2>With a key</h2>
<p>Every request needs a key in the header <code>X-API-Key</code>. The key of the first start is in the file <code>admin-key</code> of the data directory; the lines that the server printed when it started say where. An administrator makes keys for others with <code>muster key create NAME</code>.</p>
<pre>curl -H "X-API-Key: $(cat data/admin-key)" http://${host}/api/v1/tasks/counts</pre>
</body>
</html>
`

/** A Host as the door lets it in, which no HTML can stand in. */
const plainHost = /^[A-Za-z0-9.:[\]-]+$/

/** The front page for whoever wants to read it. */
export const frontPage = Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
  const { accept = "", host = "" } = request.headers
  return accept.includes("text/html")
    ? Effect.succeed(
        HttpServerResponse.text(page(plainHost.test(host) ? host : "localhost"), {
          contentType: "text/html; charset=utf-8",
          headers: {
            "content-security-policy": policy,
            "referrer-policy": "no-referrer",
            "cache-control": "no-store",
            vary: "accept"
          }
        })
      )
    : Effect.fail(new HttpServerError.RouteNotFound({ request }))
})
