import { marker } from "./marker.ts"
import { redactTokens } from "./tokens.ts"

/*
 * Secrets that are written so that a search does not find them, or that a format wrote so. What is disguised is read as
 * it is meant; if that shows a secret, the line stays as it was read, without it, and any other line as it was sent.
 */

/** Characters that nobody sees: soft hyphens, zero-width spaces and joiners, marks of direction. */
const unseen =
  "\\u00AD\\u034F\\u061C\\u115F\\u180B-\\u180E\\u200B-\\u200F\\u202A-\\u202E\\u2060-\\u206F\\uFE00-\\uFE0F\\uFEFF"
/** Between characters of ASCII they join nothing and mark nothing; elsewhere they belong to an emoji or a script. */
const hidden = new RegExp(`(?<=[!-~])[${unseen}]{1,64}(?=[!-~])`, "g")
const anyHidden = new RegExp(`[!-~][${unseen}]`)

/** A character that no format has to escape: `%67`, `\u0067`, `\u{67}`, `\x67`, `&#103;`, `&#x67;`. */
const escape =
  /%(?:25){0,4}([2-7][0-9a-f])|\\{1,4}u(?:00([2-7][0-9a-f])|\{0{0,4}([2-7][0-9a-f])\})|\\{1,4}x([2-7][0-9a-f])|&#x0{0,4}([2-7][0-9a-f]);|&#0{0,4}(\d{2,3});/gi
const anyEscape = /%[2-7][0-9a-f]|\\u(?:00|\{)|\\x[2-7]|&#/i
const unreserved = /^[\w.~:+/=@-]$/

/** Letters as wide as Chinese ones. */
const wide = /[\uFF01-\uFF5E]/g
const anyWide = /[\uFF01-\uFF5E]/

const reveal = (line: string): string =>
  line
    .replace(hidden, "")
    .replace(
      escape,
      (
        match,
        percent?: string,
        unicode?: string,
        braced?: string,
        byte?: string,
        entity?: string,
        decimal?: string
      ) => {
        const digits = percent ?? unicode ?? braced ?? byte ?? entity
        const character = String.fromCharCode(
          digits === undefined ? Number(decimal) : Number.parseInt(digits, 16)
        )
        return unreserved.test(character) ? character : match
      }
    )
    .replace(wide, (letter) => String.fromCharCode(letter.charCodeAt(0) - 0xfee0))

const redactRevealed = (line: string, redact: (line: string) => string): string => {
  const revealed = reveal(line)
  if (revealed === line) return line
  const redacted = redact(revealed)
  return redacted === revealed ? line : redacted
}

/** Where a literal is split in two: `"ghp_…" + "…"`, `'…' '…'`, `…\` at the end of a line. */
const seam = String.raw`(?:["'\x60]\s{0,8}(?:[+.&\\]|\|\|)?\s{0,16}["'\x60]|\\\r?\n\s{0,16})`
const seams = new RegExp(String.raw`(?<=[\w+/=-])${seam}(?=[\w+/=-])`, "g")
const anySeam = /["'\x60][\s+.&|\\]{0,32}["'\x60]|\\\r?\n/

/** The rest of a secret whose beginning is gone already, in the next literal or alone on the next line. */
const escapedMarker = marker.replace(/[[\]]/g, String.raw`\$&`)
const nextLiteral = new RegExp(String.raw`(${escapedMarker})(?:${seam}[\w+/=.-]{3,400}){1,16}`, "g")
const nextLine = new RegExp(
  String.raw`(${escapedMarker})((?:(?:=|\\)?(?:\r?\n|\\r?\\n)[ \t]{0,16}[\w+/=.-]{8,400}(?=[ \t]*(?:\r?\n|\\r?\\n|["']|$))){1,16})`,
  "g"
)
const isGenerated = (part: string): boolean =>
  part.length >= 8 && /[A-Za-z]/.test(part) && (/\d/.test(part) || /[a-z][A-Z]|[A-Z]{2}[a-z]/.test(part))

const redactContinued = (text: string): string =>
  text.replace(nextLiteral, "$1").replace(nextLine, (match, head: string, rest: string) =>
    rest
      .split(/[=\\]?(?:\\r?\\n|\s+)/)
      .filter((part) => part !== "")
      .every(isGenerated)
      ? head
      : match
  )

/** A token that a line break splits before enough of it stands in the first line. */
const broken = /([\w+/.:|~-]{6,400})(?:=|\\)?\r?\n[ \t]{0,16}([\w+/.:|~=-]{6,400})/g

const redactBroken = (text: string): string =>
  text.replace(broken, (match, first: string, rest: string) => {
    if (!isGenerated(first) || !isGenerated(rest)) return match
    const joined = first + rest
    return redactTokens(joined) === joined ? match : marker
  })

const redactSplit = (text: string, redact: (text: string) => string): string => {
  const whole = text.includes("\n") ? redactBroken(text) : text
  const continued = whole.includes(marker) ? redactContinued(whole) : whole
  if (!anySeam.test(continued)) return continued
  const joined = continued.replace(seams, "")
  if (joined === continued) return continued
  const redacted = redact(joined)
  return redacted === joined ? continued : redacted
}

/** A text that has lost its plain secrets, without its disguised ones. */
export const redactDisguised = (text: string, redact: (text: string) => string): string => {
  const whole = redactSplit(text, redact)
  return anyHidden.test(whole) || anyEscape.test(whole) || anyWide.test(whole)
    ? whole
        .split("\n")
        .map((line) => redactRevealed(line, redact))
        .join("\n")
    : whole
}
