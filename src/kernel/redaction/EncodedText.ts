import { redactEach } from "./RedactEach.ts"
import { hasRun, membersOf } from "./Runs.ts"
import { marker } from "./signs/Marker.ts"
import { written } from "./WriteText.ts"

type Redact = (decoded: string) => string

/** Base64, in one line or in several. */
const run = /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{24,}(?:\r?\n[ \t]{0,8}[A-Za-z0-9+/_-]{4,100})*={0,2}/g
const line = /[A-Za-z0-9+/_-]{24,}={0,2}/g

/** Digits of hex in pairs, as they are or as a dump shows them. */
const hex =
  /(?<![0-9A-Za-z])(?:0x)?(?:(?:[0-9a-f]{2}){12,}|[0-9a-f]{2}(?:[ :][0-9a-f]{2}){11,})(?![0-9A-Za-z])/gi

const ascii = /^[\t\n\r\x20-\x7e]*$/
const controls = /[^\t\n\r\x20-\x7e\x80-\xff]/
const wide = /^(?:[\t\n\r\x20-\x7e]\0)+/
/**
 * Four characters of UTF-8, the least that tells a secret (`pwd=`, `://a`). Bytes that are no UTF-8 throughout may be
 * text of another kind, or be cut off.
 */
const readable =
  /(?:[\t\n\r\x20-\x7e]|[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}){4}/

type Encoding = "base64" | "hex"

/** The first bytes of a long run tell whether it may be text at all: images, hashes and identifiers are none. */
const isBinary = (encoded: string, encoding: Encoding): boolean => {
  const head = Buffer.from(encoded.slice(0, 32), encoding).toString("latin1")
  return controls.test(head) && !wide.test(head)
}

/** The text in these bytes; undefined when they are not text. */
const textOf = (encoded: string, encoding: Encoding): string | undefined => {
  if (encoded.length > 64 && isBinary(encoded, encoding)) return undefined
  const bytes = Buffer.from(encoded, encoding)
  const text = bytes.toString("latin1")
  if (ascii.test(text)) return text
  if (wide.test(text)) return bytes.toString("utf16le")
  return controls.test(text) || !readable.test(text) ? undefined : bytes.toString("utf8")
}

/** A decoded run of a text, and where it stands. */
interface Run {
  readonly start: number
  readonly end: number
  readonly decoded: string
}

/** Adds a run to those found when it decodes to text. */
const add = (runs: Array<Run>, start: number, end: number, encoded: string, encoding: Encoding): void => {
  const decoded = textOf(encoded, encoding)
  if (decoded !== undefined) runs.push({ start, end, decoded })
}

/** Every run that is text; of one in several lines the whole of it, and then each line by itself. */
const base64In = (text: string): ReadonlyArray<Run> => {
  const runs: Array<Run> = []
  for (const { 0: whole, index } of text.matchAll(run)) {
    add(runs, index, index + whole.length, whole, "base64")
    if (!whole.includes("\n")) continue
    for (const { 0: part, index: offset } of whole.matchAll(line))
      add(runs, index + offset, index + offset + part.length, part, "base64")
  }
  return runs
}

/** The digits of a hex dump, without what is between them. */
const digitsOf = (dump: string): string =>
  written(dump.length, (units) => {
    let end = 0
    for (let index = /^0x/i.test(dump) ? 2 : 0; index < dump.length; index++) {
      const unit = dump.charCodeAt(index)
      if (unit !== 32 && unit !== 58) units[end++] = unit
    }
    return end
  })

const hexIn = (text: string): ReadonlyArray<Run> => {
  const runs: Array<Run> = []
  for (const { 0: dump, index } of text.matchAll(hex))
    add(runs, index, index + dump.length, digitsOf(dump), "hex")
  return runs
}

/** The text without the runs that hold a secret. */
const withoutSecrets = (text: string, runs: ReadonlyArray<Run>, redact: Redact): string => {
  if (runs.length === 0) return text
  const redacted = redactEach(
    runs.map(({ decoded }) => decoded),
    redact
  )
  const parts: Array<string> = []
  let position = 0
  for (const [order, { start, end, decoded }] of runs.entries()) {
    if (start < position || redacted[order] === decoded) continue
    parts.push(text.slice(position, start), marker)
    position = end
  }
  return position === 0 ? text : parts.join("") + text.slice(position)
}

const base64Members = membersOf(/[A-Za-z0-9+/_-]/)
const hexMembers = membersOf(/[0-9A-Fa-f :]/)

/** Takes out base64 and hex whose decoded text holds a secret. */
export const redactEncoded = (text: string, redact: Redact): string => {
  const plain = hasRun(text, base64Members, 24) ? withoutSecrets(text, base64In(text), redact) : text
  return hasRun(plain, hexMembers, 24) ? withoutSecrets(plain, hexIn(plain), redact) : plain
}
