import { assert, describe, it } from "@effect/vitest"
import { isFromHere, wasForwarded } from "../../src/kernel/Locality.ts"

/** What proxies and networks of delivery document that they send on, each by its own pages; and what they might add. */
const passedOn = [
  ...["Forwarded", "Via", "X-Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto"],
  ...["X-Forwarded-Port", "X-Forwarded-Server", "X-Forwarded-Ssl", "X-Forwarded-By", "X-Forwarded-Prefix"],
  ...["X-Forwarded-Client-Cert", "X-Forwarded-Anything", "Forwarded-For", "Forwarded-Proto", "CDN-Loop"],
  ...["X-Real-IP", "X-Client-IP", "Client-IP", "X-Cluster-Client-IP", "True-Client-IP", "X-Originating-IP"],
  ...["X-Remote-IP", "X-Remote-Addr", "X-ProxyUser-Ip", "WL-Proxy-Client-IP", "Proxy-Client-IP"],
  ...["CF-Connecting-IP", "CF-Connecting-IPv6", "CF-Ray", "CF-Visitor", "CF-IPCountry", "CF-Pseudo-IPv4"],
  ...["Fastly-Client-IP", "Fastly-SSL", "Fastly-FF", "X-Akamai-Edgescape", "CloudFront-Viewer-Address"],
  ...["X-Original-Forwarded-For", "X-Original-Host", "X-Original-URL", "X-Original-Proto", "X-Rewrite-URL"],
  ...["X-Envoy-External-Address", "X-Envoy-Internal", "X-Azure-ClientIP", "X-Azure-SocketIP", "X-ARR-SSL"],
  ...["X-AppEngine-User-IP", "X-Appengine-Remote-Addr", "X-Vercel-Forwarded-For", "Fly-Client-IP"],
  ...["X-NF-Client-Connection-IP", "Tailscale-User-Login", "X-Auth-Request-User", "X-Goog-IAP-JWT-Assertion"]
].map((name) => name.toLowerCase())

/** What browsers, command lines and libraries send of their own accord. */
const ordinary = [
  ...[
    "accept",
    "accept-encoding",
    "accept-language",
    "authorization",
    "cache-control",
    "connection",
    "cookie"
  ],
  ...["content-length", "content-type", "expect", "host", "idempotency-key", "if-match", "if-none-match"],
  ...["origin", "referer", "sec-ch-ua", "sec-fetch-mode", "sec-fetch-site", "sec-websocket-key", "te"],
  ...["traceparent", "tracestate", "transfer-encoding", "upgrade", "user-agent", "x-api-key"],
  ...["x-correlation-id", "x-request-id", "x-requested-with", "x-resource-revision", "violation", "cfg"]
]

const host = "localhost:3001"

describe("a request", () => {
  it("was passed on when a proxy says so, by whatever name", () => {
    for (const name of passedOn) assert.isTrue(wasForwarded({ host, [name]: "" }), name)
    for (const name of ordinary) assert.isFalse(wasForwarded({ host, [name]: "x" }), name)
  })

  it("is from here when it was made on this machine, to it, and not passed on", () => {
    for (const address of ["127.0.0.1", "::1", "::ffff:127.0.0.1"]) {
      for (const name of ["localhost", "LOCALHOST:3001", "127.0.0.1:80", "[::1]:3001", "board.localhost"]) {
        assert.isTrue(isFromHere({ host: name }, address), `${name} from ${address}`)
      }
    }
    const elsewhere = ["10.0.0.7", "::2", "::ffff:10.0.0.7", "127.0.0.1.evil", undefined]
    for (const address of elsewhere) assert.isFalse(isFromHere({ host }, address), String(address))
    const foreign = ["10.0.0.7:3001", "0.0.0.0:3001", "[::]:3001", "[::ffff:7f00:1]", "board.example", ""]
    for (const name of foreign) assert.isFalse(isFromHere({ host: name }, "127.0.0.1"), name)
    assert.isFalse(isFromHere({}, "127.0.0.1"), "without a Host")
    assert.isFalse(isFromHere({ host, "cf-ray": "1" }, "127.0.0.1"))
  })
})
