import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { mentionsOf, namesIn } from "../../../src/board/squad/Mentions.ts"

const targets = (text: string) => mentionsOf([], text).map(({ target }) => target)

describe("the names that a text mentions", () => {
  it.each([
    ["@ann", ["ann"]],
    ["Thanks @ann, over to (@bob) and '@c3po'!", ["ann", "bob", "c3po"]],
    ["ask @code-reviewer_2.1.", ["code-reviewer_2.1"]],
    ["@ann: @bob? @eve…", ["ann", "bob", "eve"]],
    ["**@ann** and `@bob`", ["ann", "bob"]],
    ["@Zoë und @李雷 bitte", ["Zoë", "李雷"]],
    ["line one\n@ann line two", ["ann"]]
  ])("are found in %j", (text, names) => {
    assert.deepStrictEqual(namesIn(text), names)
  })

  it.each([
    "write to ann@example.org",
    "mail first.last+tag@mail.example.org today",
    "a_b-c%d@example.org",
    "npm i @effect/platform",
    "https://example.org/@ann",
    "@ann@social.example",
    "https://[REDACTED]@example.org/repo.git",
    "a lone @ and @@ and @-",
    `@${"x".repeat(201)}`
  ])("are none in %j", (text) => {
    assert.deepStrictEqual(namesIn(text), [])
  })

  it("are found wherever they stand between spaces", () => {
    const name = FastCheck.stringMatching(/^[a-z0-9]{1,20}([._-][a-z0-9]{1,20}){0,2}$/)
    FastCheck.assert(
      FastCheck.property(FastCheck.array(name, { maxLength: 20 }), (names) => {
        assert.deepStrictEqual(namesIn(names.map((one) => `so @${one}, then`).join(" ")), names)
      })
    )
  })

  it("are found in time that grows with the text, whatever it holds", () => {
    const hostile = [
      "@".repeat(200_000),
      `@a${"-".repeat(200_000)}`,
      "@a-".repeat(70_000),
      `@${"a.".repeat(100_000)}`
    ]
    for (const text of hostile) {
      const start = performance.now()
      namesIn(text)
      assert.isBelow(performance.now() - start, 1_000)
    }
  })
})

describe("the mentions of a message", () => {
  it("are the given ones, then those of its text", () => {
    assert.deepStrictEqual(mentionsOf([{ target: "ann", kind: "user" }], "@bob and @ann"), [
      { target: "ann", kind: "user" },
      { target: "bob", kind: "actor" }
    ])
  })

  it("name each name once, whatever its capitals", () => {
    assert.deepStrictEqual(targets("@Ann @ann @ANN @bob"), ["Ann", "bob"])
  })

  it("are 50 at the most, the given ones first", () => {
    const text = Array.from({ length: 80 }, (_, index) => `@n${index}`).join(" ")
    const mentions = mentionsOf([{ target: "given", kind: "agent" }], text)
    assert.strictEqual(mentions.length, 50)
    assert.strictEqual(mentions[0]?.target, "given")
    assert.strictEqual(mentions[49]?.target, "n48")
  })

  it("never name the same name twice, and never more than 50", () => {
    const mention = FastCheck.record({ target: FastCheck.string({ minLength: 1 }), kind: FastCheck.string() })
    FastCheck.assert(
      FastCheck.property(FastCheck.array(mention, { maxLength: 60 }), FastCheck.string(), (given, text) => {
        const names = mentionsOf(given, text).map(({ target }) => target)
        assert.isAtMost(names.length, 50)
        assert.strictEqual(new Set(names).size, names.length)
      })
    )
  })
})
