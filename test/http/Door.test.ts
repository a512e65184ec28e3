import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { converse, type RawRequest, rawSender } from "../support/RawHttp.ts"
import { sharedWorld } from "../support/SharedWorld.ts"
import { keys, World, type WorldOptions } from "../support/World.ts"

/** Sends a raw request to the world's server, as an admin unless its headers say otherwise. */
const ask = ({ headers, method = "GET", ...raw }: Partial<RawRequest> & { readonly path: string }) =>
  Effect.gen(function* () {
    const { baseUrl } = yield* World
    const send = yield* rawSender(baseUrl)
    return yield* send({ method, ...raw, headers: { "x-api-key": keys.admin, ...headers } })
  })

const access: WorldOptions = {
  access: { allowedHosts: ["board.example.com"], allowedOrigins: ["https://app.example.com"] }
}

const shared = sharedWorld()
const allowing = sharedWorld(access)

/** Routes of every kind: the contract's, public ones, those beside it, unknown ones. */
const everywhere = [
  "/api/tasks",
  "/api/v1/tasks",
  "/health",
  "/health/live",
  "/api/openapi.json",
  "/docs",
  "/nowhere"
]

describe("the name that the server is called by", () => {
  it.scopedLive("is an address, localhost or one that was allowed; any other is refused everywhere", () =>
    Effect.gen(function* () {
      for (const host of [
        "127.0.0.1",
        "127.0.0.1:3001",
        "[::1]:3001",
        "localhost",
        "LocalHost:80",
        "app.localhost",
        "192.168.1.7",
        "board.example.com",
        "Board.Example.Com:443"
      ]) {
        assert.strictEqual((yield* ask({ path: "/api/tasks", headers: { host } })).status, 200, host)
      }
      for (const host of [
        "evil.example.com",
        "board.example.com.evil.com",
        "localhost.evil.com",
        "127.0.0.1.evil.com",
        "xlocalhost",
        "localhost@evil.com",
        "[::1"
      ]) {
        for (const path of everywhere) {
          const refused = yield* ask({ path, headers: { host } })
          assert.strictEqual(refused.status, 403, `${host} ${path}`)
          assert.hasAllKeys(refused.body, ["error", "code", "details"])
          assert.deepInclude(refused.body, { code: "PERMISSION_DENIED", details: { reason: "host" } })
        }
      }
    }).pipe(Effect.provide(allowing))
  )

  it.scopedLive("is not a matter of taste: a request without one is refused", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* World
      const old = yield* converse(baseUrl, "GET /health HTTP/1.0\r\n\r\n")
      assert.match(old, /^HTTP\/1\.1 403 /)
      const empty = yield* converse(baseUrl, "GET /health HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n")
      assert.match(empty, /^HTTP\/1\.1 403 /)
      const nameless = yield* converse(baseUrl, "GET /health HTTP/1.1\r\n\r\n")
      assert.match(nameless, /^HTTP\/1\.1 400 /)
    }).pipe(Effect.provide(shared))
  )
})

describe("the server that a request is for", () => {
  it.scopedLive("is named once, and the same in its target as in its Host", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* World
      const answered = (...lines: ReadonlyArray<string>) =>
        converse(baseUrl, `${[...lines, "Connection: close"].join("\r\n")}\r\n\r\n`)
      for (const lines of [
        ["GET /health HTTP/1.1", "Host: localhost"],
        ["GET http://localhost/health HTTP/1.1", "Host: localhost"],
        ["GET HTTP://LocalHost:3001/health?x=1 HTTP/1.1", "Host: localhost:3001"]
      ]) {
        assert.match(yield* answered(...lines), /^HTTP\/1\.1 200 /, lines[0])
      }
      for (const lines of [
        ["GET /health HTTP/1.1", "Host: localhost", "Host: localhost"],
        ["GET /health HTTP/1.1", "Host: localhost", "hOST: evil.example.com"],
        ["GET http://evil.example.com/health HTTP/1.1", "Host: localhost"],
        ["GET http://localhost:81/health HTTP/1.1", "Host: localhost:80"],
        ["GET http://user@localhost/health HTTP/1.1", "Host: localhost"],
        ["GET ftp://localhost/health HTTP/1.1", "Host: localhost"]
      ]) {
        const heard = yield* answered(...lines)
        assert.match(heard, /^HTTP\/1\.1 400 /, lines.join(", "))
        assert.include(heard, "VALIDATION_ERROR")
        assert.notInclude(heard, "evil.example.com")
      }
    }).pipe(Effect.provide(shared))
  )
})

describe("a wish for another protocol than WebSocket", () => {
  it.scopedLive("is passed over: the request is answered as if it had not been there", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* World
      const body = JSON.stringify({ title: "Asked for HTTP/2" })
      for (const protocol of ["h2c", "TLS/1.0", "HTTP/2.0, h2c", "websocket, h2c", ""]) {
        const created = yield* converse(
          baseUrl,
          [
            "POST /api/tasks HTTP/1.1",
            "Host: localhost",
            "Connection: Upgrade, HTTP2-Settings, close",
            `Upgrade: ${protocol}`,
            "HTTP2-Settings: AAMAAABkAAQAAP__",
            `X-API-Key: ${keys.agent}`,
            "Content-Type: application/json",
            `Content-Length: ${body.length}`,
            "",
            body
          ].join("\r\n")
        )
        assert.match(created, /^HTTP\/1\.1 201 /, protocol)
      }
      const foreign = yield* converse(
        baseUrl,
        "GET /health HTTP/1.1\r\nHost: evil.example.com\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n"
      )
      assert.match(foreign, /^HTTP\/1\.1 403 /)
    }).pipe(Effect.provide(shared))
  )
})

describe("the origin of a page", () => {
  it.scopedLive("is the server's own or one that was allowed; any other is refused everywhere", () =>
    Effect.gen(function* () {
      for (const origin of [
        "null",
        "https://evil.example.com",
        "http://app.example.com",
        "https://app.example.com.evil.com",
        "http://localhost:1",
        "file://",
        ""
      ]) {
        for (const path of everywhere) {
          for (const method of ["GET", "POST", "OPTIONS"]) {
            const refused = yield* ask({ method, path, headers: { origin } })
            assert.strictEqual(refused.status, 403, `${origin} ${method} ${path}`)
            assert.deepInclude(refused.body, { code: "PERMISSION_DENIED", details: { reason: "origin" } })
            assert.notProperty(refused.headers, "access-control-allow-origin")
          }
        }
      }
      const own = yield* ask({
        path: "/api/tasks",
        headers: { host: "localhost:3001", origin: "http://localhost:3001" }
      })
      assert.strictEqual(own.status, 200)
      assert.notProperty(own.headers, "access-control-allow-origin")
    }).pipe(Effect.provide(allowing))
  )

  it.scopedLive("that was allowed may read answers and what stands in their headers", () =>
    Effect.gen(function* () {
      const origin = "https://app.example.com"
      for (const path of ["/api/tasks", "/api/tasks/nobody"]) {
        const { headers } = yield* ask({ path, headers: { origin } })
        assert.strictEqual(headers["access-control-allow-origin"], origin)
        assert.strictEqual(headers["vary"], "Origin")
        assert.notProperty(headers, "access-control-allow-credentials")
        const exposed = String(headers["access-control-expose-headers"]).toLowerCase()
        for (const name of ["etag", "x-resource-revision", "x-total-count", "x-request-id"]) {
          assert.include(exposed, name)
        }
      }
    }).pipe(Effect.provide(allowing))
  )

  it.scopedLive("that was allowed is told in advance what it may send, without a key", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* World
      const send = yield* rawSender(baseUrl)
      const preflight = yield* send({
        method: "OPTIONS",
        path: "/api/tasks/1/move",
        headers: {
          origin: "https://app.example.com",
          "access-control-request-method": "POST",
          "access-control-request-headers": "if-match,x-api-key"
        }
      })
      assert.strictEqual(preflight.status, 204)
      assert.strictEqual(preflight.text, "")
      assert.strictEqual(preflight.headers["access-control-allow-origin"], "https://app.example.com")
      for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"]) {
        assert.include(preflight.headers["access-control-allow-methods"], method)
      }
      for (const name of ["if-match", "x-api-key", "content-type", "x-resource-revision"]) {
        assert.include(String(preflight.headers["access-control-allow-headers"]).toLowerCase(), name)
      }
    }).pipe(Effect.provide(allowing))
  )
})

describe("an answer", () => {
  it.scopedLive("names its request: by the id that came with it, or by one of its own", () =>
    Effect.gen(function* () {
      const idFor = (id?: string) =>
        Effect.map(
          ask({ path: "/api/tasks/nobody", headers: id === undefined ? {} : { "x-request-id": id } }),
          ({ headers }) => String(headers["x-request-id"])
        )
      assert.strictEqual(yield* idFor("my-request_1.2"), "my-request_1.2")
      const own = [yield* idFor(), yield* idFor()]
      assert.strictEqual(new Set(own).size, 2)
      for (const id of own) assert.match(id, /^[A-Za-z0-9._-]{3,64}$/)
      for (const wild of ["a b", "x".repeat(65), '"quoted"', "<script>"]) {
        assert.notInclude(yield* idFor(wild), wild)
      }
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("is neither sniffed nor kept", () =>
    Effect.gen(function* () {
      for (const path of everywhere) {
        const { headers } = yield* ask({ path })
        assert.strictEqual(headers["x-content-type-options"], "nosniff", path)
        assert.strictEqual(headers["cache-control"], "no-store", path)
        assert.notProperty(headers, "x-powered-by")
        assert.notProperty(headers, "server")
      }
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("to HEAD is that to GET without its body", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const { body } = yield* request("POST", "/api/tasks", { body: { title: "A task" } })
      for (const path of [`/api/tasks/${body.id}`, "/api/tasks", "/api/tasks/nobody", "/health"]) {
        const get = yield* ask({ path })
        const head = yield* ask({ method: "HEAD", path })
        assert.strictEqual(head.status, get.status, path)
        assert.strictEqual(head.text, "")
        for (const name of ["content-type", "content-length", "etag", "x-total-count"]) {
          assert.strictEqual(head.headers[name], get.headers[name], `${name} of ${path}`)
        }
      }
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("says 404 in the envelope where there is no route, and no route of this method", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      for (const [method, path] of [
        ["GET", "/"],
        ["GET", "/api"],
        ["GET", "/api/"],
        ["GET", "/nowhere"],
        ["GET", "/api/nowhere"],
        ["GET", "/api/v1/nowhere"],
        ["GET", "/api/v2/tasks"],
        ["GET", "/api/v1/api/tasks"],
        ["GET", "/api/v1/v1/tasks"],
        ["DELETE", "/api/tasks"],
        ["PUT", "/api/tasks"],
        ["POST", "/api/tasks/counts"],
        ["PATCH", "/health"],
        ["OPTIONS", "/api/tasks"],
        ["GET", "/ws"],
        ["GET", "/api/ws"]
      ]) {
        for (const as of ["admin", null] as const) {
          const answer = yield* request(method ?? "", path ?? "", { as })
          assert.strictEqual(answer.status, 404, `${method} ${path}`)
          assert.hasAllKeys(answer.body, ["error", "code"])
          assert.strictEqual(answer.body.code, "NOT_FOUND")
        }
      }
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive(
    "to a wish that it can't fulfil says so in the envelope, and 100 to the one that it can",
    () =>
      Effect.gen(function* () {
        const { baseUrl } = yield* World
        const wishing = (wish: string) =>
          converse(
            baseUrl,
            `POST /api/tasks HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 2\r\nExpect: ${wish}\r\n\r\n{}`
          )
        const refused = yield* wishing("a miracle")
        assert.match(refused, /^HTTP\/1\.1 417 /)
        assert.match(refused, /\{"error":"[^"]+","code":"VALIDATION_ERROR"\}$/)
        assert.match(yield* wishing("100-continue"), /^HTTP\/1\.1 100 [\s\S]*HTTP\/1\.1 415 /)
      }).pipe(Effect.provide(shared))
  )

  it.scopedLive("to what is no HTTP at all, or too much of it, is short and the end of the connection", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* World
      for (const [said, status] of [
        ["\u0016\u0003\u0001 hello\r\n\r\n", 400],
        ["GET /health HTTP/1.1\r\nHost: localhost\r\nBad Header: x\r\n\r\n", 400],
        [`GET /health HTTP/1.1\r\nHost: localhost\r\nX: ${"x".repeat(20_000)}\r\n\r\n`, 431],
        [
          "POST /api/tasks HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
          400
        ],
        ["POST /api/tasks HTTP/1.1\r\nHost: localhost\r\nContent-Length: ten\r\n\r\n", 400]
      ] as const) {
        const heard = yield* converse(baseUrl, said)
        assert.match(heard, new RegExp(`^HTTP/1\\.1 ${status} `), said.slice(0, 80))
        assert.match(heard, /\{"error":"[^"]+","code":"[A-Z_]+"\}$/)
        assert.strictEqual(heard.includes("larger than 16384 bytes"), status === 431)
      }
      const head = yield* converse(baseUrl, `HEAD /${"x".repeat(20_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
      assert.match(head, /^HTTP\/1\.1 431 /)
      assert.match(head, /\r\n\r\n$/, "a body after the head of an answer is taken for the next answer")
      assert.strictEqual((yield* ask({ path: "/health" })).status, 200)
    }).pipe(Effect.provide(shared))
  )
})
