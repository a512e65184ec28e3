import { marker } from "./marker.ts"
import { hasRun, membersOf } from "./runs.ts"
import { redactEach } from "./together.ts"

type Redact = (decoded: string) => string

/** Base64, in one line or in several. */
const run = /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{24,}(?:\r?\n[ \t]{0,8}[A-Za-z0-9+/_-]{4,100})*={0,2}/g
const line = /[A-Za-z0-9+/_-]{24,}={0,2}/g

/** Digits of hex in pairs, as they are or as a dump shows them. */
const hex =
  /(?<![0-9A-Za-z])(?:0x)?(?:(?:[0-9a-f]{2}){12,}|[0-9a-f]{2}(?:[ :][0-9a-f]{2}){11,})(?![0-9A-Za-z])/gi

const controls = /[^\t\n\r\x20-\x7e\x80-\xff]/
const accented = /[\x80-\xff]/
const wide = /^(?:[\t\n\r\x20-\x7e]\0)+/
/** The least that tells a secret: `pwd=`, `://a`. Bytes that are not UTF-8 may be text of another kind, or be cut off. */
const readable = /[^\uFFFD]{4}/

type Encoding = "base64" | "hex"

/** The first bytes of a long run tell whether it may be text at all: images, hashes and identifiers are none. */
const isBinary = (encoded: string, encoding: Encoding): boolean => {
  const head = Buffer.from(encoded.slice(0, 32), encoding).toString("latin1")
  return controls.test(head) && !wide.test(head)
}

/** The text that bytes are, if they are one. */
const textOf = (encoded: string, encoding: Encoding): string | undefined => {
  if (encoded.length > 64 && isBinary(encoded, encoding)) return undefined
  const bytes = Buffer.from(encoded, encoding)
  const text = bytes.toString("latin1")
  if (wide.test(text)) return bytes.toString("utf16le")
  if (controls.test(text)) return undefined
  if (!accented.test(text)) return text
  const decoded = bytes.toString("utf8")
  return readable.test(decoded) ? decoded : undefined
}

/** What stands between two places of a text, read. */
interface Run {
  readonly start: number
  readonly end: number
  readonly decoded: string
}

const runOf = (start: number, written: string, encoded: string, encoding: Encoding): ReadonlyArray<Run> => {
  const decoded = textOf(encoded, encoding)
  return decoded === undefined ? [] : [{ start, end: start + written.length, decoded }]
}

/** Every run that is text; of one in several lines the whole of it, and then each line by itself. */
const base64In = (text: string): ReadonlyArray<Run> =>
  Array.from(text.matchAll(run)).flatMap(({ 0: whole, index }) => [
    ...runOf(index, whole, whole, "base64"),
    ...(whole.includes("\n") ? Array.from(whole.matchAll(line)) : []).flatMap((part) =>
      runOf(index + part.index, part[0], part[0], "base64")
    )
  ])

const hexIn = (text: string): ReadonlyArray<Run> =>
  Array.from(text.matchAll(hex)).flatMap(({ 0: dump, index }) =>
    runOf(index, dump, dump.replace(/^0x|[ :]/gi, ""), "hex")
  )

/** The text without the runs that hold a secret; what lies in one that is gone already goes with it. */
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

/** Base64 and hex of text with a secret in it. */
export const redactEncoded = (text: string, redact: Redact): string => {
  const plain = hasRun(text, base64Members, 24) ? withoutSecrets(text, base64In(text), redact) : text
  return hasRun(plain, hexMembers, 24) ? withoutSecrets(plain, hexIn(plain), redact) : plain
}
