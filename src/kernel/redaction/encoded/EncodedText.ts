import { redactEach } from "../RedactEach.ts"
import { marker } from "../signs/Marker.ts"
import { base64In, type Range } from "./Base64Runs.ts"
import { digitsOf, hexIn } from "./HexRuns.ts"

type Redact = (decoded: string) => string

const beyondAscii = /[^\t\n\r\x20-\x7e]/
const controls = /[^\t\n\r\x20-\x7e\x80-\xff]/
const wide = /^[\t\n\r\x20-\x7e]\0/
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
  if (!beyondAscii.test(text)) return text
  if (wide.test(text)) return bytes.toString("utf16le")
  return controls.test(text) || !readable.test(text) ? undefined : bytes.toString("utf8")
}

/** A decoded run of a text, and where it stands. */
interface Run extends Range {
  readonly decoded: string
}

/** The runs that decode to text. */
const decodedIn = (
  text: string,
  ranges: ReadonlyArray<Range>,
  encoding: Encoding,
  encodedOf = (run: string): string => run
): ReadonlyArray<Run> =>
  ranges.flatMap(({ end, start }) => {
    const decoded = textOf(encodedOf(text.slice(start, end)), encoding)
    return decoded === undefined ? [] : [{ start, end, decoded }]
  })

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

/** Takes out base64 and hex whose decoded text holds a secret. */
export const redactEncoded = (text: string, redact: Redact): string => {
  const plain = withoutSecrets(text, decodedIn(text, base64In(text), "base64"), redact)
  return withoutSecrets(plain, decodedIn(plain, hexIn(plain), "hex", digitsOf), redact)
}
