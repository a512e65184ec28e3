import { marker } from "./marker.ts"
import { reveal } from "./reveal.ts"
import { redactEach } from "./together.ts"
import { redactTokens } from "./tokens.ts"

/*
 * Secrets that are written so that a search does not find them, or that a format wrote so. What is disguised is read as
 * it is meant; if that shows a secret, the line stays as it was read, without it, and any other line as it was sent.
 */

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

/** Lines that mean something else than they say, without what that shows; any other line as it is. */
const redactRevealed = (text: string, redact: (text: string) => string): string => {
  const revealed = reveal(text)
  if (revealed === text) return text
  const lines = text.split("\n")
  const meant = revealed.split("\n")
  const disguised = [...lines.keys()].filter((index) => meant[index] !== lines[index])
  const redacted = redactEach(
    disguised.map((index) => meant[index] ?? ""),
    redact
  )
  for (const [order, index] of disguised.entries()) {
    const line = redacted[order]
    if (line !== undefined && line !== meant[index]) lines[index] = line
  }
  return lines.join("\n")
}

/** A text that has lost its plain secrets, without its disguised ones. */
export const redactDisguised = (text: string, redact: (text: string) => string): string =>
  redactRevealed(redactSplit(text, redact), redact)
