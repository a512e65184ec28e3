import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { readBatch } from "../../src/board/imports/ImportBatch.ts"
import { batchesOf } from "../../src/cli/imports/Batches.ts"

const line = fc.oneof(
  fc
    .record(
      {
        id: fc.constantFrom("A", "B", "C"),
        sourceId: fc.constantFrom("s1", "s2"),
        title: fc.constantFrom("x", "y")
      },
      { requiredKeys: ["title"] }
    )
    .map((task) => JSON.stringify(task)),
  fc.constantFrom("", "  ", "{", "[]", `{"id":"A"}`)
)
const file = fc.array(line, { maxLength: 700 }).map((lines) => lines.join("\n"))

describe("a file in requests", () => {
  it.prop("says what it says in one piece", [file], ([text]) => {
    const whole = readBatch(text)
    const { batches, failed, lineCount } = batchesOf(Buffer.from(text))
    const parts = batches.map(({ body, lines }) => {
      const read = readBatch(body)
      const placed = <A extends { readonly line: number }>(found: A): A => ({
        ...found,
        line: lines[found.line - 1] ?? 0
      })
      return { lines: read.lines.map(placed), failed: read.failed.map(placed) }
    })
    assert.deepStrictEqual(failed, [])
    assert.strictEqual(lineCount, whole.lines.length + whole.failed.length)
    assert.deepStrictEqual(
      parts.flatMap(({ failed }) => failed),
      whole.failed
    )
    assert.deepStrictEqual(
      parts.flatMap(({ lines }) => lines),
      whole.lines
    )
  })
})
