import { describe, expect, it } from "vitest"
import { marker, redactText } from "../../../src/kernel/Redaction.ts"

/** As much as the journal of a run takes in one piece. */
const size = 8_388_608

const filled = (atom: string): string => atom.repeat(Math.ceil(size / atom.length)).slice(0, size)

const token = "ghp_Zk3vT9qLm2XwR7sYb4Nc8Hd6Jf1Gp5Vt0Aae"

/** Texts that no pattern may take in as one: words and hex without an end, and what almost is a dump. */
const endless: ReadonlyArray<readonly [name: string, text: string]> = [
  ["a word", filled("y")],
  ["digits of hex", filled("0123456789abcdef")],
  ["short dumps", filled("61 61 61 61 61 61 61 61 61 6 ")]
]

describe("megabytes without an end", () => {
  it.each(endless)("are read like any other text: %s", (_, text) => {
    const left = redactText(`${text}\n${token} it is`)
    expect(left.startsWith(text)).toBe(true)
    expect(left.slice(text.length)).toBe(`\n${marker} it is`)
  })

  it("lose a secret that lies in the middle of what is encoded", () => {
    const said = `${filled("plain words, ").slice(0, size / 3)} ${token} ${filled("more words, ").slice(0, size / 3)}`
    expect(redactText(`x ${Buffer.from(said).toString("hex")} y`)).toBe(`x ${marker} y`)
    const lines = Buffer.from(said)
      .toString("base64")
      .replace(/(.{76})/g, "$1\n")
    expect(redactText(`x ${lines} y`)).toBe(`x ${marker} y`)
  })
})
