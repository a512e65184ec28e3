import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { type Line, makeLines } from "../../../src/kernel/process/Lines.ts"

const encoder = new TextEncoder()

/** The lines of bytes that come in pieces of these sizes. */
const linesOf = (bytes: Uint8Array, sizes: ReadonlyArray<number>, limit = 1_000): ReadonlyArray<Line> => {
  const lines = makeLines(() => limit)
  const found: Array<Line> = []
  let from = 0
  for (let piece = 0; from < bytes.length; piece++) {
    const size = sizes[piece % Math.max(1, sizes.length)] ?? bytes.length
    found.push(...lines.push(bytes.subarray(from, from + size)))
    from += size
  }
  return [...found, ...lines.end()]
}

const anySizes = fc.array(fc.integer({ min: 1, max: 7 }), { maxLength: 8 })
const anyText = fc.string({
  unit: fc.constantFrom("a", "é", "€", "😀", "\n", "\r\n", "\0", " ", "{"),
  maxLength: 80
})

describe("lines", () => {
  it("are the same in whatever pieces they come: characters of several bytes stay whole", () => {
    fc.assert(
      fc.property(anyText, anySizes, (text, sizes) => {
        const expected = text.split("\n").map((line) => line.replace(/\r$/, ""))
        if (expected.at(-1) === "" && !text.endsWith("\r")) expected.pop()
        expect(linesOf(encoder.encode(text), sizes).map((line) => line.text)).toEqual(expected)
      })
    )
  })

  it("keep what is no UTF-8 as U+FFFD, and all bytes around it", () => {
    const bytes = Uint8Array.from([0x61, 0xff, 0x62, 0x0a, 0xe2, 0x82, 0x0a, 0xf0, 0x9f])
    for (const size of [1, 2, 100])
      expect(linesOf(bytes, [size]).map(({ text }) => text)).toEqual(["a\ufffdb", "\ufffd", "\ufffd"])
  })

  it("longer than their limit come in parts that say so, and never cut a character", () => {
    fc.assert(
      fc.property(anyText, anySizes, fc.integer({ min: 2, max: 9 }), (text, sizes, limit) => {
        const found = linesOf(encoder.encode(text), sizes, limit)
        for (const line of found) {
          expect(line.text.length).toBeLessThanOrEqual(limit)
          expect(line.text.isWellFormed()).toBe(true)
        }
        const joined = found.map((line) => (line.goesOn ? line.text : `${line.text}\n`)).join("")
        expect(joined.replaceAll("\r", "").replace(/\n$/, "")).toBe(
          text.replaceAll("\r", "").replace(/\n$/, "")
        )
      })
    )
  })

  it("without an end keep no more than their limit in memory, two megabytes or not", () => {
    const lines = makeLines((beginning) => (beginning.trimStart().startsWith("{") ? 4_000_000 : 65_536))
    const parts = Array.from({ length: 32 }, () => lines.push(encoder.encode("x".repeat(65_536)))).flat()
    expect(parts).toHaveLength(32)
    expect(parts.every(({ goesOn, text }) => goesOn && text.length === 65_536)).toBe(true)
    expect(lines.push(encoder.encode("\n"))).toEqual([{ text: "", goesOn: false }])
    const object = `{"a":"${"x".repeat(2_000_000)}"}`
    expect(lines.push(encoder.encode(`  ${object}\n`))).toEqual([{ text: `  ${object}`, goesOn: false }])
  })
})
