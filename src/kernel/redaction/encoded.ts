import { marker } from "./marker.ts"
import { hasRun, membersOf } from "./runs.ts"

type Redact = (decoded: string) => string

/** Base64, in one line or in several. */
const run = /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{24,}(?:\r?\n[ \t]{0,8}[A-Za-z0-9+/_-]{4,100})*={0,2}/g
const line = /[A-Za-z0-9+/_-]{24,}={0,2}/g

/** Digits of hex in pairs, as they are or as a dump shows them. */
const hex =
  /(?<![0-9A-Za-z])(?:0x)?(?:(?:[0-9a-f]{2}){12,}|[0-9a-f]{2}(?:[ :][0-9a-f]{2}){11,})(?![0-9A-Za-z])/gi

const controls = /[^\t\n\r\x20-\x7e\x80-\xff]/
const wide = /^(?:[\t\n\r\x20-\x7e]\0)+/

/**
 * The text that bytes are, if they are one. The first of them tell, so that a long run is decoded only when it may be
 * text: images, hashes and identifiers are none.
 */
const textOf = (encoded: string, encoding: "base64" | "hex"): string | undefined => {
  const head = Buffer.from(encoded.slice(0, 32), encoding).toString("latin1")
  if (wide.test(head)) return Buffer.from(encoded, encoding).toString("utf16le")
  if (controls.test(head)) return undefined
  const bytes = Buffer.from(encoded, encoding)
  return controls.test(bytes.toString("latin1")) ? undefined : bytes.toString("utf8")
}

const holdsSecret = (encoded: string, encoding: "base64" | "hex", redact: Redact): boolean => {
  const text = textOf(encoded, encoding)
  return text !== undefined && redact(text) !== text
}

const redactBase64 = (text: string, redact: Redact): string =>
  text.replace(run, (match) => {
    if (holdsSecret(match, "base64", redact)) return marker
    return match.includes("\n")
      ? match.replace(line, (part) => (holdsSecret(part, "base64", redact) ? marker : part))
      : match
  })

const redactHex = (text: string, redact: Redact): string =>
  text.replace(hex, (match) => (holdsSecret(match.replace(/^0x|[ :]/gi, ""), "hex", redact) ? marker : match))

const base64Members = membersOf(/[A-Za-z0-9+/_-]/)
const hexMembers = membersOf(/[0-9A-Fa-f :]/)

/** Base64 and hex of text with a secret in it. */
export const redactEncoded = (text: string, redact: Redact): string => {
  const plain = hasRun(text, base64Members, 24) ? redactBase64(text, redact) : text
  return hasRun(plain, hexMembers, 24) ? redactHex(plain, redact) : plain
}
