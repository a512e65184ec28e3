import { createHash } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { docsPage } from "../../src/http/DocsPage.ts"
import { send, World, world } from "../support/World.ts"

describe("the page of the contract", () => {
  it.scopedLive("needs nothing from elsewhere, and runs the scripts that it holds and no others", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* World
      const page = yield* send(baseUrl, "GET", "/docs", { as: null })
      assert.strictEqual(page.status, 200)
      assert.include(page.headers.get("content-type"), "text/html")
      const html = String(page.body)
      assert.notMatch(html, /<(?:script|img|iframe|link)[^>]+(?:src|href)=/i)
      const policy = page.headers.get("content-security-policy") ?? ""
      const scripts = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)]
      assert.lengthOf(scripts, 1)
      for (const [, script = ""] of scripts) {
        const digest = createHash("sha256").update(script).digest("base64")
        assert.include(policy, `script-src 'sha256-${digest}';`)
      }
      assert.include(policy, "default-src 'none'")
      assert.notMatch(policy, /unsafe-eval|script-src[^;]*unsafe|https?:/)
      assert.strictEqual((yield* send(baseUrl, "GET", "/docs", { as: null })).body, page.body, "made once")
      assert.include(html, "opsFilter: (groups, phrase)")
      assert.include(html, "validatorUrl: null")
    }).pipe(Effect.provide(world()))
  )

  it("tells when the platform makes another page", () => {
    assert.throws(() => docsPage("<html></html>"), /another form/)
  })
})
