import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { causalKeyOf, contains, decide } from "../../../src/conversations/triggers/Decision.ts"

const author = "a".repeat(64)
const message = { authorPubkey: author, isEcho: false, isRoot: true, kind: 9, text: "Please deploy it" }
const rule = { enabled: true }

const decided = (ruleMore: object, messageMore: object = {}) =>
  decide({ ...rule, ...ruleMore }, { ...message, ...messageMore })

describe("a trigger rule", () => {
  it("fits a root message when all that it asks for is there", () => {
    const match = { disposition: "match" }
    assert.deepStrictEqual(decided({}), match)
    assert.deepStrictEqual(decided({ contentIncludes: "DEPLOY" }), match)
    assert.deepStrictEqual(decided({ authorPubkey: author, contentIncludes: "deploy" }), match)
    assert.deepStrictEqual(decided({ authorPubkey: author }, { authorPubkey: author.toUpperCase() }), match)
  })

  it("says why it does not fit", () => {
    const cases: ReadonlyArray<readonly [object, object, string, string]> = [
      [{ enabled: false }, {}, "disabled", "rule_disabled"],
      [{}, { isRoot: false }, "ignored", "not_a_root"],
      [{}, { isEcho: true }, "ignored", "echo"],
      ...[5, 7, 9005, 40_003, 1].map((kind) => [{}, { kind }, "ignored", "not_a_message"] as const),
      [{ authorPubkey: "b".repeat(64) }, {}, "mismatch", "author_differs"],
      [{ contentIncludes: "revert" }, {}, "mismatch", "content_differs"],
      // A pattern would fit here: text does not.
      [{ contentIncludes: "d.ploy" }, {}, "mismatch", "content_differs"],
      [{ contentIncludes: ".*" }, {}, "mismatch", "content_differs"]
    ]
    for (const [ruleMore, messageMore, disposition, reason] of cases) {
      assert.deepStrictEqual<unknown>(decided(ruleMore, messageMore), { disposition, reason })
    }
  })

  it("takes capital and small letters of all scripts alike", () => {
    const alike: ReadonlyArray<readonly [string, string]> = [
      ["ÜBERGABE an STRASSE", "straße"],
      ["ΟΔΟΣΑ", "οδος"],
      ["die οδός", "ΟΔΌΣ"],
      ["cafe\u0301 offen", "CAFÉ"],
      ["ПРИВЕТ", "привет"]
    ]
    for (const [text, part] of alike) assert.isTrue(contains(text, part), `${text}: ${part}`)
  })

  it("counts thirty combining marks on a letter, however many stand there", () => {
    const marked = (marks: number) => `a${"\u0316\u0301".repeat(marks / 2)}`
    assert.isTrue(contains(`${marked(100_000)}b`, `${marked(30)}B`))
    assert.isFalse(contains(`${marked(100_000)}b`, `${marked(28)}b`))
  })

  it("finds whatever stands in a text, and nothing in a text without it", () => {
    const word = FastCheck.stringMatching(/^[a-zA-Z0-9.*+?^$(){}|[\]\\ äöüßÄÖÜ]{1,20}$/)
    FastCheck.assert(
      FastCheck.property(word, word, word, (before, part, after) => {
        const text = before + part + after
        return (
          contains(text, part) &&
          contains(text.toUpperCase(), part) &&
          contains(text, part.toUpperCase()) &&
          !contains(text, `${part}\n`)
        )
      })
    )
  })

  it("has one key for one message", () => {
    const key = causalKeyOf({ community: "relay.example.com:8443", eventId: "e1" }, "trigger_1")
    assert.strictEqual(key, "relay:relay.example.com:8443:e1:trigger_1")
  })
})
