import { createHash } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { sharedWorld } from "../support/SharedWorld.ts"
import { send, World } from "../support/World.ts"

const shared = sharedWorld()

/** What a browser says that it takes. */
const browser = { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" }

describe("the address of the server", () => {
  it.scopedLive("shows a browser what this is, where the docs are and how to begin, and runs nothing", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* World
      const { body, headers, status } = yield* send(baseUrl, "GET", "/", { as: null, headers: browser })
      const html = String(body)
      assert.strictEqual(status, 200)
      assert.strictEqual(headers.get("content-type"), "text/html; charset=utf-8")
      for (const text of [
        'href="/docs"',
        'href="/health/ready"',
        "npx muster list",
        "X-API-Key",
        "admin-key"
      ])
        assert.include(html, text)
      assert.include(html, `${baseUrl}/api/v1/tasks/counts`)
      assert.notMatch(html, /<script|<img|<link|<iframe|<form| on\w+=|style=/i)
      const [, style = ""] = /<style>([\s\S]*)<\/style>/.exec(html) ?? []
      const policy = headers.get("content-security-policy") ?? ""
      assert.include(policy, `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`)
      assert.include(policy, "default-src 'none'")
      assert.include(policy, "frame-ancestors 'none'")
      assert.strictEqual(headers.get("referrer-policy"), "no-referrer")
      assert.strictEqual(headers.get("x-content-type-options"), "nosniff")
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("leads to what is there", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* World
      const { body } = yield* send(baseUrl, "GET", "/", { as: null, headers: browser })
      const links = [...String(body).matchAll(/href="([^"]+)"/g)].map(([, path = ""]) => path)
      assert.isAbove(links.length, 2)
      for (const path of links) {
        assert.strictEqual((yield* send(baseUrl, "GET", path, { as: null })).status, 200, path)
      }
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("tells a program that there is no such route, as ever", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* World
      for (const headers of [{}, { accept: "*/*" }, { accept: "application/json" }]) {
        const { body, status } = yield* send(baseUrl, "GET", "/", { as: null, headers })
        assert.strictEqual(status, 404)
        assert.deepStrictEqual(body, {
          error: "There is no such route; /docs lists those that there are",
          code: "NOT_FOUND"
        })
      }
      assert.strictEqual(
        (yield* send(baseUrl, "POST", "/", { as: null, headers: browser })).status,
        404,
        "other methods"
      )
    }).pipe(Effect.provide(shared))
  )
})
