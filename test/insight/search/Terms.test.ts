import { assert, describe, it } from "@effect/vitest"
import { beginningOf, snippetLimit, snippetOf } from "../../../src/insight/search/Snippet.ts"
import { askedOf, fold, queryLimit, termsOf } from "../../../src/insight/search/Terms.ts"

const asked = (query: string) => {
  const found = askedOf(query)
  if (found === undefined) throw new Error(`${query} has no words`)
  return found
}

describe("the terms of a text", () => {
  it("are its words without case, accents, widths and what nobody sees", () => {
    assert.deepStrictEqual(termsOf("Größe: Café CAFE\u0301, ＡＢＣ pass\u200bword ΟΔΟΣ"), [
      "große",
      "cafe",
      "cafe",
      "abc",
      "password",
      "οδοσ"
    ])
  })

  it("keep the marks that make another letter", () => {
    assert.notStrictEqual(fold("か"), fold("が"))
    assert.notStrictEqual(fold("कि"), fold("की"))
  })

  it("are characters and pairs where no spaces stand between words", () => {
    assert.deepStrictEqual(termsOf("iPhone手机壳"), ["iphone", "手", "手机", "机", "机壳", "壳"])
    assert.deepStrictEqual(asked("iPhone手机壳").terms, ["iphone", "手机", "机壳"])
    assert.deepStrictEqual(asked("机").terms, ["机"])
  })

  it("count a word eight times, and a document of whatever length a bounded number of times", () => {
    assert.lengthOf(termsOf("the ".repeat(25_000)), 8)
    const many = Array.from({ length: 20_000 }, (_, index) => String.fromCodePoint(0x4e00 + index)).join("")
    assert.lengthOf(termsOf(many), 20_000)
    assert.lengthOf(termsOf("x".repeat(100_000))[0] ?? "", 64)
  })

  it("are a bounded number in a query, each of them once", () => {
    assert.deepStrictEqual(asked("rain ".repeat(32)).terms, ["rain"])
    assert.lengthOf(asked(Array.from({ length: 100 }, (_, index) => `w${index}`).join(" ")).terms, queryLimit)
    assert.isUndefined(askedOf('"* - ^ (): {} …'))
    assert.isUndefined(askedOf("\u0301".repeat(500)))
  })

  it("pile no marks up: what looks alike is told in linear time", () => {
    assert.strictEqual(fold(`x${"\u0301\u0316".repeat(50_000)}y`), "xy")
    assert.isBelow(fold("か\u3099\u0331".repeat(10) + "\u3099\u302a".repeat(50_000)).length, 200)
  })
})

describe("a snippet", () => {
  it("shows the place with the most words of the query", () => {
    const text = `rain ${"x ".repeat(400)}the umbrella keeps the rain away ${"y ".repeat(400)}`
    const snippet = snippetOf(text, asked("rain umbrella")) ?? ""
    assert.include(snippet, "umbrella keeps the rain")
    assert.isAtMost(snippet.length, snippetLimit + 2)
    assert.isTrue(snippet.startsWith("…") && snippet.endsWith("…"))
  })

  it("shows whole words, and beginnings for the last one alone", () => {
    assert.isUndefined(snippetOf("rainbow", asked("rain bow")))
    assert.strictEqual(snippetOf("rainbow", asked("rain")), "rainbow")
  })

  it("finds its place where folding makes other lengths", () => {
    const text = `${"ﬁn ㍍ ".repeat(100)} Re\u0301union`
    assert.include(snippetOf(text, asked("réunion")), "Re\u0301union")
  })

  it("cuts no character into two", () => {
    const text = "🚀".repeat(1_000)
    for (const piece of [snippetOf(`a${text}`, asked("🚀")), beginningOf(`a${text}`), beginningOf(text)]) {
      assert.isTrue(piece?.isWellFormed())
    }
  })
})
