import { assert, describe, it } from "@effect/vitest"
import { Either, Schema } from "effect"
import { isAtMost, isVisible, visibleLength } from "../../src/kernel/Characters.ts"
import { nonBlank, text, unique } from "../../src/kernel/Text.ts"

const family = "👨🏽‍👩🏽‍👧🏽‍👦🏽"
const composed = "e\u0301"

const admits = (schema: Schema.Schema<string, string>, value: string): boolean =>
  Either.isRight(Schema.decodeEither(schema)(value))

describe("how long a text is", () => {
  it("is what a reader counts: letters with their marks and whole emoji are one character", () => {
    for (const character of ["a", "é", composed, family, "🇨🇭", "1️⃣", "क्षि", "한"]) {
      for (const schema of [nonBlank(500), text(500)]) {
        assert.isTrue(admits(schema, character.repeat(500)), character)
        assert.isFalse(admits(schema, character.repeat(501)), character)
      }
    }
  })

  it("does not depend on where a long text is cut to be measured", () => {
    for (let before = 1_000; before < 1_030; before++) {
      const mixed = "a".repeat(before) + family.repeat(60) + "🇨🇭".repeat(60) + composed.repeat(600)
      assert.isTrue(isAtMost(mixed, before + 720))
      assert.isFalse(isAtMost(mixed, before + 719))
    }
  })

  it("has an end for one character of many marks", () => {
    assert.isTrue(isAtMost(`a${"\u0301".repeat(15_999)}`, 500))
    assert.isFalse(isAtMost(`a${"\u0301".repeat(16_000)}`, 500))
  })

  it("is counted in code points where no reader counts", () => {
    assert.isTrue(isAtMost("🙂".repeat(20_000), 20_000))
    assert.isFalse(isAtMost("🙂".repeat(20_001), 20_000))
  })
})

describe("a text that says something", () => {
  it("has a character that is seen", () => {
    for (const unseen of [
      "",
      " ",
      "\u200b",
      "\u2060\ufeff",
      "\u3164",
      "\u2800 \u00ad",
      "\u202e",
      "\u{e0041}",
      "\u0007"
    ]) {
      assert.isFalse(isVisible(unseen), JSON.stringify(unseen))
      assert.isFalse(admits(nonBlank(500), unseen), JSON.stringify(unseen))
    }
    for (const seen of ["a", "\u200ba", "🙂", ".", "\u0301"]) assert.isTrue(admits(nonBlank(500), seen), seen)
  })

  it("is as long as what is seen of it", () => {
    assert.strictEqual(visibleLength(`\u200b  ab c\u2060${"\u200b".repeat(20)} `), 4)
    assert.strictEqual(visibleLength("🙂🙂"), 2)
  })
})

describe("a list of names", () => {
  it("has each of them once, however they were written", () => {
    const names = unique(Schema.Array(nonBlank(200)))
    assert.deepStrictEqual(Schema.decodeSync(names)(["codex", " codex ", "claude", "codex\n"]), [
      "codex",
      "claude"
    ])
  })
})
