import { redactEach } from "./RedactEach.ts"
import { reveal } from "./RevealText.ts"
import { membersOf } from "./Runs.ts"
import { marker } from "./signs/Marker.ts"
import { redactTokens } from "./Tokens.ts"

/*
 * Secrets that are written so that a search does not find them, by intent or by a format. A line is decoded; if that
 * shows a secret, the decoded line without it is kept, otherwise the line as it was sent.
 */

/** Where a literal is split in two: `"ghp_…" + "…"`, `'…' '…'`, `…\` at the end of a line. */
const seam = String.raw`(?:["'\x60]\s{0,8}(?:[+.&\\]|\|\|)?\s{0,16}["'\x60]|\\\r?\n\s{0,16})`
const seams = new RegExp(String.raw`(?<=[\w+/=-])${seam}(?=[\w+/=-])`, "g")
const anySeam = /["'\x60][\s+.&|\\]{0,32}["'\x60]|\\\r?\n/

/** The rest of a secret whose beginning was already taken out, in the next literal or alone on the next line. */
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

const members = membersOf(/[\w+/.:|~-]/)
const membersOrEnd = membersOf(/[\w+/.:|~=-]/)
const blanks = membersOf(/[ \t]/)
const continued = membersOf(/[=\\]/)
const carriageReturn = 13

/** How many characters of a kind follow each other on one side of a place, up to a limit. */
const count = (text: string, kind: Uint8Array, from: number, step: 1 | -1, most: number): number => {
  let length = 0
  while (length < most && kind[text.charCodeAt(from + step * length)] === 1) length++
  return length
}

/**
 * A token that a line break splits so early that its first part is not recognized: looks at both sides of each break.
 */
const redactBroken = (text: string): string => {
  const parts: Array<string> = []
  let position = 0
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) {
    let end = at
    if (text.charCodeAt(end - 1) === carriageReturn) end--
    if (continued[text.charCodeAt(end - 1)] === 1) end--
    const start = end - count(text, members, end - 1, -1, Math.min(400, end - position))
    if (end - start < 8) continue
    const from = at + 1 + count(text, blanks, at + 1, 1, 16)
    const to = from + count(text, membersOrEnd, from, 1, 400)
    if (to - from < 8) continue
    const first = text.slice(start, end)
    const rest = text.slice(from, to)
    if (!isGenerated(first) || !isGenerated(rest)) continue
    const joined = first + rest
    if (redactTokens(joined) === joined) continue
    parts.push(text.slice(position, start), marker)
    position = to
  }
  return position === 0 ? text : parts.join("") + text.slice(position)
}

const redactSplit = (text: string, redact: (text: string) => string): string => {
  const whole = text.includes("\n") ? redactBroken(text) : text
  const continued = whole.includes(marker) ? redactContinued(whole) : whole
  if (!anySeam.test(continued)) return continued
  const joined = continued.replace(seams, "")
  if (joined === continued) return continued
  const redacted = redact(joined)
  return redacted === joined ? continued : redacted
}

/** Redacts the lines that read differently when decoded; other lines stay as they are. */
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

/** Takes disguised secrets out of a text whose plain ones are already gone. */
export const redactDisguised = (text: string, redact: (text: string) => string): string =>
  redactRevealed(redactSplit(text, redact), redact)
