import { redactEach } from "./RedactEach.ts"
import { endOfRun, findRun, hasRun, isMember, membersOf } from "./Runs.ts"
import { marker } from "./signs/Marker.ts"
import { written } from "./WriteText.ts"

type Redact = (decoded: string) => string

/*
 * What looks encoded is found by the character: a megabyte may be one run, and a pattern that takes in a run of millions
 * exceeds the stack.
 */

const base64Members = membersOf(/[A-Za-z0-9+/_-]/)
const hexDigits = membersOf(/[0-9A-Fa-f]/)
const hexMembers = membersOf(/[0-9A-Fa-f :]/)
const wordMembers = membersOf(/[0-9A-Za-z]/)

/** The fewest characters that are looked at: eighteen bytes of base64, twelve of hex. */
const shortest = 24

/** The next line of base64 that goes over several. */
const nextLine = /\r?\n[ \t]{0,8}[A-Za-z0-9+/_-]{4,100}/y

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

/** Where the characters end that fill up base64. */
const endOfFilling = (text: string, at: number): number =>
  text[at] !== "=" ? at : text[at + 1] === "=" ? at + 2 : at + 1

/** Where base64 in several lines ends. */
const endOfLines = (text: string, start: number): number => {
  let end = endOfRun(text, base64Members, start)
  for (nextLine.lastIndex = end; nextLine.test(text); nextLine.lastIndex = end) end = nextLine.lastIndex
  return endOfFilling(text, end)
}

/** Adds each line of base64 that goes over several. */
const addLines = (runs: Array<Run>, start: number, whole: string): void => {
  for (let at = findRun(whole, base64Members, shortest); at >= 0; ) {
    const end = endOfFilling(whole, endOfRun(whole, base64Members, at))
    add(runs, start + at, start + end, whole.slice(at, end), "base64")
    at = findRun(whole, base64Members, shortest, end)
  }
}

/** Every run that is text; of one in several lines the whole of it, and then each line by itself. */
const base64In = (text: string): ReadonlyArray<Run> => {
  const runs: Array<Run> = []
  for (let start = findRun(text, base64Members, shortest); start >= 0; ) {
    const end = endOfLines(text, start)
    const whole = text.slice(start, end)
    add(runs, start, end, whole, "base64")
    if (whole.includes("\n")) addLines(runs, start, whole)
    // What is left of a line that is too long to go on in is no run of its own.
    const after = whole.endsWith("=") ? end : endOfRun(text, base64Members, end)
    start = findRun(text, base64Members, shortest, after)
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

const isPrefix = (text: string, at: number): boolean =>
  text.charCodeAt(at) === 48 && (text.charCodeAt(at + 1) | 32) === 120

/** Where hex ends that begins at a place: pairs of digits, as they are or as a dump shows them; -1 when none does. */
const endOfHex = (text: string, start: number): number => {
  const first = isPrefix(text, start) ? start + 2 : start
  const end = endOfRun(text, hexDigits, first)
  if (end - first >= shortest && (end - first) % 2 === 0 && !isMember(text, wordMembers, end)) return end
  if (end - first !== 2) return -1
  let last = end
  let bytes = 1
  while (text[last] === " " || text[last] === ":") {
    const next = endOfRun(text, hexDigits, last + 1)
    if (next !== last + 3 || isMember(text, wordMembers, next)) break
    last = next
    bytes++
  }
  return bytes >= shortest / 2 ? last : -1
}

const hexIn = (text: string): ReadonlyArray<Run> => {
  const runs: Array<Run> = []
  const next = (from: number) => findRun(text, hexMembers, shortest, from)
  for (let start = next(0); start >= 0; ) {
    const stop = endOfRun(text, hexMembers, start)
    let at = isPrefix(text, start - 2) ? start - 2 : start
    while (at < stop) {
      const endOfWord = endOfRun(text, wordMembers, at)
      const isBegin = endOfWord > at && !isMember(text, wordMembers, at - 1)
      const end = isBegin ? endOfHex(text, at) : -1
      if (end > 0) add(runs, at, end, digitsOf(text.slice(at, end)), "hex")
      at = end > 0 ? end : Math.max(at + 1, endOfWord)
    }
    start = next(Math.max(stop, at))
  }
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

/** Takes out base64 and hex whose decoded text holds a secret. */
export const redactEncoded = (text: string, redact: Redact): string => {
  const plain = hasRun(text, base64Members, shortest) ? withoutSecrets(text, base64In(text), redact) : text
  return hasRun(plain, hexMembers, shortest) ? withoutSecrets(plain, hexIn(plain), redact) : plain
}
