import { assert, describe, it } from "@effect/vitest"
import { summaryOf } from "../../src/kernel/OpenApiDocument.ts"

describe("the summary of a description", () => {
  it("is its first sentence in plain letters", () => {
    assert.strictEqual(summaryOf("Adds a `comment`. Secrets are redacted."), "Adds a comment")
    assert.strictEqual(summaryOf("Answers at /health/v1.2 too"), "Answers at /health/v1.2 too")
    assert.strictEqual(summaryOf("One\nline."), "One line")
  })

  it("is cut where a clause ends, or a word", () => {
    assert.strictEqual(summaryOf(`Makes one, ${"and another ".repeat(20)}.`), "Makes one …")
    assert.strictEqual(summaryOf(`${"word ".repeat(40)}.`), `${Array(22).fill("word").join(" ")} …`)
  })
})
