import { FastCheck as fc } from "effect"
import { expect, it } from "vitest"
import { steps } from "../../../src/kernel/Redaction.ts"
import { inOrder } from "../../../src/kernel/redaction/steps/Step.ts"
import { wordSearch } from "../../../src/kernel/redaction/steps/WordSearch.ts"
import patterns from "../RedactionPatterns.json" with { type: "json" }

/** What texts with secrets are made of: where they stand, what they look like, and letters that only seem to be others. */
const parts = [
  ...patterns,
  ...steps.flatMap(({ signs = [] }) => signs),
  "Authorization: Bearer ",
  'docker login -u bob -p "',
  "IDENTIFIED BY '",
  "machine db login bob password ",
  "db.example.com:5432:main:bob:",
  "-----BEGIN RSA PRIVATE KEY-----",
  "hasło to ",
  "ſecret ist ",
  "to\u212aen is ",
  "ghp_Zk3vT9qLm2XwR7sYb4Nc8Hd6Jf1Gp5Vt0Aae",
  "hunter2-Xy!",
  "<password>",
  "?X-Amz-Signature=",
  "https://bob:"
]

const text = fc
  .array(
    fc.tuple(
      fc.constantFrom(...parts),
      fc.constantFrom("", " ", "\n", "=", ": ", '"', "'", "|", "@", "1", "\u200b"),
      fc.constantFrom("as is", "loud", "cut")
    ),
    { maxLength: 8 }
  )
  .map((all) =>
    all
      .map(([part, glue, how]) =>
        how === "loud" ? part.toUpperCase() + glue : how === "cut" ? part.slice(part.length / 2) : part + glue
      )
      .join("")
  )

it("a step that is passed over would have changed nothing", () => {
  const redact = inOrder(steps)
  fc.assert(
    fc.property(text, (given) => {
      expect(redact(given)).toBe(steps.reduce((left, step) => step.redact(left), given))
    }),
    { numRuns: 3_000 }
  )
})

it("a search tells the groups whose words stand in a text, in small letters and in capitals", () => {
  const letters = fc.constantFrom("a", "b", "-", "é")
  const word = fc.string({ unit: letters, minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(
      fc.array(fc.array(word, { maxLength: 5 }), { maxLength: 6 }),
      fc.string({ unit: fc.constantFrom("a", "A", "b", "B", "-", "é", "ł", "x"), maxLength: 30 }),
      (groups, given) => {
        const read = given.toLowerCase().replaceAll("ł", "é")
        const expected = groups.map((words) => words.some((one) => read.includes(one)))
        const found = wordSearch(groups)(given)
        expect(groups.map((_, group) => (found & (1 << group)) !== 0)).toEqual(expected)
      }
    )
  )
})

it("a token goes that stands in a run of millions of characters, and a run without one stays", () => {
  const redact = inOrder(steps)
  const run = "a/".repeat(1_000_000)
  expect(redact(run)).toBe(run)
  expect(redact(`in ${run}ghp_Zk3vT9qLm2XwR7sYb4Nc8Hd6Jf1Gp5Vt0Aae`)).toBe("in [REDACTED]")
  expect(redact("ghp_".repeat(1_800_000))).toBe("[REDACTED]")
})
