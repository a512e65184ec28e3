import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { holdBack, marker, redactText } from "../../../src/kernel/Redaction.ts"
import { makeStreamRedactor } from "../../../src/kernel/redaction/stream/RedactStream.ts"
import patterns from "../RedactionPatterns.json" with { type: "json" }

const key = (lines: number) =>
  [
    "-----BEGIN RSA PRIVATE KEY-----",
    ...Array.from(
      { length: lines },
      (_, line) => `MIIEpAIBAAKCAQEA${String(line).padStart(2, "0")}bZ4kqHfXw7yN`
    ),
    "-----END RSA PRIVATE KEY-----"
  ].join("\n")

const token = "ghp_Zk3vT9qLm2XwR7sYb4Nc8Hd6Jf1Gp5Vt0Aae"
const held = "correct-horse\nbattery-staple-41"

/** Texts with a secret that lies within a line, or across several. */
const secrets: ReadonlyArray<readonly [text: string, secret: ReadonlyArray<string>]> = [
  [`use ${token} here`, [token]],
  [`first half ${token.slice(0, 18)}\n${token.slice(18)}`, [token.slice(0, 18), token.slice(18)]],
  [`const a = "${token.slice(0, 20)}" +\n  "${token.slice(20)}"`, [token.slice(0, 20), token.slice(20)]],
  [key(12), ["MIIEpAIBAAKCAQEA05bZ4kqHfXw7yN"]],
  [key(12).replaceAll("\n", "\n   7\t"), ["MIIEpAIBAAKCAQEA05bZ4kqHfXw7yN"]],
  ["password:\n\n  hunter2-Xy", ["hunter2-Xy"]],
  ["the password is\nhunter2-Xy", ["hunter2-Xy"]],
  ["machine example.com\n  login bob\n  password hunter2Xy", ["hunter2Xy"]],
  [
    Buffer.from(`token ${token} and more`)
      .toString("base64")
      .replace(/(.{28})/g, "$1\n"),
    [token]
  ],
  [
    Buffer.from(key(6))
      .toString("base64")
      .replace(/(.{76})/g, "$1\n"),
    [Buffer.from(key(6)).toString("base64").slice(152, 228)]
  ],
  [`it was ${held}, they said`, ["battery-staple-41"]],
  ["login bob password\n\n\n\n\nhunter2-Xy93kd0", ["hunter2-Xy93kd0"]],
  ["https://bob:hunter2@example.com/", ["hunter2"]]
]

const lines = [
  "compiling 14 files",
  "",
  "  at Object.run (src/kernel/process/Run.ts:41:7)",
  "the token count is 14",
  'const text = "plain"',
  '{"ok":true}',
  "done",
  'import { Effect } from "effect"'
]
/** A hash may be taken for the beginning of what is encoded in the next line: the whole is redacted more than its parts. */
const hash = "a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6e7f8a9b0"

/** What comes out of a text that is cut at these places. */
const streamed = (text: string, cuts: ReadonlyArray<number>, limit?: number): string => {
  const redactor = makeStreamRedactor(limit)
  const places = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((one, other) => one - other)
  let out = ""
  let from = 0
  for (const place of [...places, text.length]) {
    out += redactor.push(text.slice(from, place))
    from = place
  }
  return out + redactor.flush()
}

const anyLines = fc.array(fc.constantFrom(...lines), { maxLength: 6 })
const anyCuts = fc.array(fc.nat(10_000), { maxLength: 12 })

/** The runs of a text that are long enough to be of use to a thief. */
const runsIn = (text: string): ReadonlyArray<string> => text.match(/[A-Za-z0-9_-]{10,}/g) ?? []

describe("redaction of a text in pieces", () => {
  it("lets out no part of a secret, wherever the text is cut, and leaves all else", () => {
    const release = holdBack([held])
    fc.assert(
      fc.property(
        anyLines,
        fc.constantFrom(...secrets),
        anyLines,
        anyCuts,
        (before, [secret, parts], after, cuts) => {
          const text = [...before, secret, ...after].join("\n")
          const out = streamed(text, cuts)
          for (const part of parts) expect(out).not.toContain(part)
          expect(out).toBe(redactText(text))
        }
      ),
      { numRuns: 300 }
    )
    release()
  })

  it("gives the same in whatever pieces it comes, however hostile it is", () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constantFrom(...patterns), fc.constantFrom(hash, ...lines), fc.constant("\n")), {
          maxLength: 30
        }),
        anyCuts,
        fc.constantFrom(256, 65_536),
        (parts, cuts, limit) => {
          const text = parts.join("")
          expect(streamed(text, cuts, limit)).toBe(streamed(text, [], limit))
        }
      ),
      { numRuns: 300 }
    )
  })

  it("takes out all that redaction of the whole takes out", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            { weight: 2, arbitrary: fc.constantFrom(...patterns) },
            { weight: 2, arbitrary: fc.constant("\n") },
            {
              weight: 1,
              arbitrary: fc.constantFrom(token, token.slice(0, 20), "hunter2-Xy93kd0", hash, ...lines)
            }
          ),
          { maxLength: 30 }
        ),
        anyCuts,
        (parts, cuts) => {
          const text = parts.join("")
          const whole = redactText(text)
          const out = streamed(text, cuts)
          for (const run of runsIn(text)) if (!whole.includes(run)) expect(out).not.toContain(run)
        }
      ),
      { numRuns: 500 }
    )
  })

  it("holds back no more than its limit, and lets out no secret there", () => {
    const redactor = makeStreamRedactor(4_096)
    let out = ""
    for (let piece = 0; piece < 200; piece++) {
      out += redactor.push(`${"word ".repeat(100)}${token} `)
      expect(redactor.held().length).toBeLessThanOrEqual(4_096)
    }
    out += redactor.flush()
    expect(out).not.toContain(token.slice(4, 20))
    expect(out.split(marker).length - 1).toBe(200)
    const endless = makeStreamRedactor(4_096)
    let left = endless.push("-----BEGIN PRIVATE KEY-----\n")
    for (let line = 0; line < 1_000; line++) {
      left += endless.push(`MIIEpAIBAAKCAQEA${String(line).padStart(4, "0")}bZ4kqHfXw7yN\n`)
      expect(endless.held().length).toBeLessThanOrEqual(4_096)
    }
    left += endless.push("the end\n") + endless.flush()
    expect(left).not.toContain("bZ4kqHfXw7yN")
    expect(left).toContain("the end")
  })

  it("lets out no part of a secret when pauses lie between its pieces, and loses nothing else", () => {
    const release = holdBack([held])
    fc.assert(
      fc.property(
        anyLines,
        fc.constantFrom(...secrets),
        anyLines,
        fc.array(fc.tuple(fc.nat(10_000), fc.boolean()), { maxLength: 12 }),
        fc.boolean(),
        (before, [secret, parts], after, cuts, atEachLine) => {
          const text = [...before, secret, ...after, "the end"].join("\n")
          const redactor = makeStreamRedactor()
          const ends = [...text.matchAll(/\n/g)].map(({ index }) => [index + 1, true] as const)
          const places = atEachLine
            ? ends
            : cuts.map(([cut, pauses]) => [cut % (text.length + 1), pauses] as const)
          let out = ""
          let from = 0
          for (const [place, pauses] of [...places].sort(([one], [other]) => one - other)) {
            out += redactor.push(text.slice(from, place))
            if (pauses) out += redactor.pause()
            from = place
          }
          out += redactor.push(text.slice(from)) + redactor.flush()
          for (const part of parts) expect(out).not.toContain(part)
          for (const line of [...before, ...after]) expect(out).toContain(line)
          expect(out.endsWith("the end")).toBe(true)
        }
      ),
      { numRuns: 500 }
    )
    release()
  })

  it("delays a line that may go on until the next one, or a pause", () => {
    const redactor = makeStreamRedactor()
    expect(redactor.push("see src/Foo2Bar.ts\n")).toBe("")
    expect(redactor.pause()).toBe("see src/Foo2Bar.ts\n")
    expect(redactor.pause()).toBe("")
    expect(redactor.push("the password is\n")).toBe("")
    expect(redactor.pause()).toBe("the password is\n")
    expect(redactor.push("hunter2-Xy\n") + redactor.pause()).toBe(`${marker}\n`)
    expect(redactor.push("no end yet") + redactor.pause()).toBe("")
    expect(redactor.push("\nplain\n") + redactor.flush()).toBe("no end yet\nplain\n")
    const limit = makeStreamRedactor(4_096)
    for (let line = 0; line < 1_000; line++) {
      const text = `see src/Foo${line}Bar.ts\n`
      expect(limit.push(text) + limit.pause()).toBe(text)
    }
  })

  it("does not delay what is plain", () => {
    const redactor = makeStreamRedactor()
    expect(redactor.push("compiling 14 files\n")).toBe("compiling 14 files\n")
    expect(redactor.push("no end yet")).toBe("")
    expect(redactor.push("\n")).toBe("no end yet\n")
  })
})
