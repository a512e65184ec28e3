import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { fold } from "../../../src/board/squad/Fold.ts"
import { snippetOf } from "../../../src/board/squad/SquadSearch.ts"

const wellFormed = FastCheck.string({ unit: "grapheme", maxLength: 400 })

describe("folding", () => {
  it("makes capital and small letters alike, in every script", () => {
    assert.strictEqual(fold("CODEX Ünïcode ΣΙΓΜΑ ПРИВЕТ"), "codex ünïcode σιγμα привет")
  })

  it("keeps every place of the text where it was", () => {
    assert.strictEqual(fold("İstanbul").length, "İstanbul".length)
    FastCheck.assert(
      FastCheck.property(wellFormed, (text) => {
        assert.strictEqual(fold(text).length, text.length)
        assert.strictEqual(fold(fold(text)), fold(text))
      })
    )
  })
})

describe("a snippet", () => {
  it("is the whole of a short message", () => {
    assert.strictEqual(snippetOf("Deployed to staging", "staging"), "Deployed to staging")
  })

  it("is what stands around the match in a long one", () => {
    const snippet = snippetOf(`${"before ".repeat(100)}NEEDLE${" after".repeat(100)}`, "needle")
    assert.strictEqual(snippet.length, 200)
    assert.match(snippet, /^….*before NEEDLE after.*…$/)
  })

  it("begins where the message begins, and ends where it ends", () => {
    const text = `first ${"x".repeat(400)} last`
    assert.match(snippetOf(text, "first"), /^first x+…$/)
    assert.match(snippetOf(text, "last"), /^…x+ last$/)
    assert.match(snippetOf(text, "matches the author only"), /^first x+…$/)
  })

  it("cuts no character in half", () => {
    const text = "🦊".repeat(300)
    assert.isTrue(snippetOf(text, "🦊").isWellFormed())
    assert.isTrue(snippetOf(`x${text}`, "🦊").isWellFormed())
  })

  it("has at most 200 characters, and contains what was searched for", () => {
    const word = FastCheck.stringMatching(/^[a-zA-Z]{1,100}$/)
    FastCheck.assert(
      FastCheck.property(wellFormed, word, wellFormed, (before, query, after) => {
        const snippet = snippetOf(`${before}${query}${after}`, query.toUpperCase())
        assert.isAtMost(snippet.length, 200)
        assert.include(fold(snippet), fold(query))
        assert.isTrue(snippet.isWellFormed())
      })
    )
  })
})
