import { FastCheck } from "effect"
import { describe, expect, it } from "vitest"
import { sanitizeText } from "../../src/kernel/Sanitize.ts"

/** Pieces that texts and attacks are made of: whatever they are put together to, nothing of it may run. */
const piece = FastCheck.constantFrom(
  ..."<script|</script>|<ScRiPt>|<style>|</style|<iframe|<embed|<object|<object>|</object>|<img|<a|<|>|/".split(
    "|"
  ),
  ..."script|ipt>|ject|on|onerror|onLoad|error|load|=|==|javascript|java|:|href|src|\"|'| |\n|\t|\u0000|\u0007|x".split(
    "|"
  )
)
const attack = FastCheck.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(""))
const anything = FastCheck.oneof(attack, FastCheck.string(), FastCheck.string({ unit: "binary" }))

describe("sanitised text", () => {
  it.each([
    ["a script", "<script>alert(1)</script>ok", " ok"],
    ["a script with attributes, whatever its case", 'a<SCRIPT src="x.js" defer>1</sCript >b', "a b"],
    ["a script whose name ends in a slash", "<script/src=x></script>", " "],
    ["a script that is never closed", "before <script>alert(1)", "before  alert(1)"],
    ["a tag that is never closed", "the <script tag", "the   tag"],
    ["a frame", '<iframe src="javascript:x"></iframe>end', " end"],
    ["an object with data", "<object data=evil.swf><param></object>", " "],
    ["an embed", "<embed src=evil.swf>after", " after"],
    ["a style", "<style>* { display: none }</style>after", " after"],
    [
      "a script hidden in a script",
      "<scr<script></script>ipt>alert(1)</script>",
      "<scr ipt>alert(1)</script>"
    ],
    ["an event handler", "<img src=x onerror=alert(1)>", "<img src=x onerror:alert(1)>"],
    [
      "a handler without a space before it",
      '<svg/onload=x><a b="c"onclick=y>',
      '<svg/onload:x><a b="c"onclick:y>'
    ],
    ["a handler behind a quoted >", '<img title=">" onerror = x>', '<img title=">" onerror : x>'],
    ["a script URL", `<a href=" JavaScript:x">y</a>`, `<a href=" JavaScript-x">y</a>`],
    ["a script URL with line breaks in its name", "<a href=java\nscript\t:x>", "<a href=java\nscript\t-x>"],
    ["a handler that a script URL hides", "<a href=javascript:onload=x>", "<a href=javascript-onload=x>"],
    ["control characters", "a\u0000b\u001b[31mc\u007fd\u009be\r\nf\tg", "ab[31mcde\nf\tg"]
  ])("loses %s", (_, text, sanitised) => {
    expect(sanitizeText(text)).toBe(sanitised)
  })

  it.each([
    "Plain text, über alles, 日本語, 🎉",
    "first line\n\tsecond line",
    "if (a < b && c > d) return Map<string, object> or Promise<object>",
    "button.onclick = save; once = true; the script: javascript: the good parts",
    '<b>bold</b> <scripted> <style-guide> <p class="on">',
    "a <- b, 1<2, <3"
  ])("keeps what is no danger: %s", (text) => {
    expect(sanitizeText(text)).toBe(text)
  })

  it("holds nothing that runs, however it was put together", () => {
    FastCheck.assert(
      FastCheck.property(anything, (text) => {
        const sanitised = sanitizeText(text)
        expect(sanitised).not.toMatch(/<(?:script|style|iframe|embed|object[^>a-z0-9-])(?![a-z0-9-])/i)
        if (/<[a-z]/i.test(sanitised)) {
          expect(sanitised).not.toMatch(/[\s/"']on[a-z]{3,}\s*=/i)
          expect(sanitised).not.toMatch(/=[\s"']*javascript:/i)
        }
        // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must be gone
        expect(sanitised).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/)
      }),
      { numRuns: 5_000 }
    )
  })

  it("stays as it is when it is sanitised again", () => {
    FastCheck.assert(
      FastCheck.property(anything, (text) => {
        const sanitised = sanitizeText(text)
        expect(sanitizeText(sanitised)).toBe(sanitised)
      }),
      { numRuns: 5_000 }
    )
  })

  it.each([
    ["openings that are never closed", "<script>"],
    ["closings without an end", "<script></script"],
    ["tags without an end", "<iframe "],
    ["handlers without a value", " onerror "],
    ["long names of handlers", "onaaaaaaaa"],
    ["spaces", "<a onerror        "],
    ["equals signs", "<a =      \"'"],
    ["all at once", "<script <iframe </script onload= javascript: > <"]
  ])("costs linear time on %s", (_, part) => {
    const text = part.repeat(Math.ceil(1_000_000 / part.length))
    const start = performance.now()
    sanitizeText(text)
    expect(performance.now() - start).toBeLessThan(1_000)
  })
})
