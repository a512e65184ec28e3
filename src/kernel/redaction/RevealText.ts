import { membersOf } from "./Runs.ts"
import { written } from "./WriteText.ts"

/* What a disguised text means. A megabyte may be nothing but disguise, so it is read and written by the character. */

/** Characters that nobody sees: soft hyphens, zero-width spaces and joiners, marks of direction. */
const unseen: ReadonlyArray<readonly [first: number, last: number]> = [
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x115f],
  [0x180b, 0x180e],
  [0x200b, 0x200f],
  [0x202a, 0x202e],
  [0x2060, 0x206f],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff]
]
const isUnseen = new Uint8Array(1 << 16)
for (const [first, last] of unseen) isUnseen.fill(1, first, last + 1)
const unseenClass = unseen
  .map((range) =>
    String.fromCharCode(...range)
      .split("")
      .join("-")
  )
  .join("")
/** Full-width letters, and invisible characters after a letter. */
const anyHidden = new RegExp(`[\\uFF01-\\uFF5E]|[!-~][${unseenClass}]`)
const anyEscape = /%[2-7][0-9a-f]|\\u(?:00|\{)|\\x[2-7]|&#/i

const narrow = (unit: number): number => (unit >= 0xff01 && unit <= 0xff5e ? unit - 0xfee0 : unit)
const isVisible = (unit: number | undefined): boolean => unit !== undefined && unit > 0x20 && unit < 0x7f

/**
 * Makes letters narrow and drops invisible characters. Between ASCII characters those have no meaning; elsewhere they
 * are part of an emoji or a script.
 */
const unhidden = (text: string): string =>
  written(text.length, (units) => {
    let end = 0
    let unseenFrom = 0
    for (let index = 0; index < text.length; index++) {
      const unit = narrow(text.charCodeAt(index))
      if (unseenFrom < end && isUnseen[unit] !== 1) {
        if (isVisible(unit) && isVisible(units[unseenFrom - 1])) end = unseenFrom
      }
      units[end++] = unit
      if (isUnseen[unit] !== 1) unseenFrom = end
    }
    return end
  })

const unreserved = membersOf(/[\w.~:+/=@-]/)
const digits = Int8Array.from({ length: 128 }, (_, unit) =>
  "0123456789abcdef".indexOf(String.fromCharCode(unit).toLowerCase())
)
const digitAt = (text: string, index: number): number => {
  const unit = text.charCodeAt(index)
  return unit < 128 ? (digits[unit] ?? -1) : -1
}

/** The character that two digits of hex stand for, 0 for one beyond ASCII or below a space. */
const hexAt = (text: string, index: number): number => {
  const high = digitAt(text, index)
  const low = digitAt(text, index + 1)
  return high >= 2 && high <= 7 && low >= 0 ? 16 * high + low : 0
}

const percent = 37
const ampersand = 38
const backslash = 92

/** Where the leading zeros of a number end, four at the most. */
const afterZeros = (text: string, index: number): number => {
  let at = index
  while (at < index + 4 && text.charCodeAt(at) === 48) at++
  return at
}

/** An escape from one place to another and the character that it means: one number, for there may be a million. */
const escapeOf = (from: number, to: number, character: number): number =>
  unreserved[character] === 1 ? ((to - from) << 7) | character : 0

/** `%67`, `%2567` */
const percentAt = (text: string, index: number): number => {
  let at = index + 1
  for (let times = 0; times < 4 && text.startsWith("25", at); times++) at += 2
  return escapeOf(index, at + 2, hexAt(text, at))
}

/** `\u0067`, `\u{67}`, `\x67`, with as many backslashes as JSON in JSON has. */
const backslashAt = (text: string, index: number): number => {
  let at = index + 1
  while (at < index + 4 && text.charCodeAt(at) === backslash) at++
  const kind = text[at]?.toLowerCase()
  if (kind === "x") return escapeOf(index, at + 3, hexAt(text, at + 1))
  if (kind !== "u") return 0
  if (text.startsWith("00", at + 1)) return escapeOf(index, at + 5, hexAt(text, at + 3))
  if (text[at + 1] !== "{") return 0
  const digits = afterZeros(text, at + 2)
  return text[digits + 2] === "}" ? escapeOf(index, digits + 3, hexAt(text, digits)) : 0
}

/** `&#x67;`, `&#103;` */
const entityAt = (text: string, index: number): number => {
  if (text[index + 1] !== "#") return 0
  const isHex = text[index + 2]?.toLowerCase() === "x"
  const base = isHex ? 16 : 10
  const first = afterZeros(text, index + (isHex ? 3 : 2))
  let end = first
  let character = 0
  for (
    let digit = digitAt(text, end);
    digit >= 0 && digit < base && end < first + 3;
    digit = digitAt(text, ++end)
  )
    character = base * character + digit
  return text[end] === ";" ? escapeOf(index, end + 1, character) : 0
}

/** The escape of a character that no format has to escape, at a place where one may begin. */
const escapeAt = (text: string, index: number): number => {
  switch (text.charCodeAt(index)) {
    case percent:
      return percentAt(text, index)
    case backslash:
      return backslashAt(text, index)
    case ampersand:
      return entityAt(text, index)
    default:
      return 0
  }
}

const unescaped = (text: string): string =>
  written(text.length, (units) => {
    let end = 0
    for (let index = 0; index < text.length; ) {
      const escape = escapeAt(text, index)
      units[end++] = escape === 0 ? text.charCodeAt(index) : escape & 127
      index += escape === 0 ? 1 : escape >> 7
    }
    return end
  })

/** The text as it reads when decoded: with narrow letters, without invisible characters, and with escapes resolved. */
export const reveal = (text: string): string => {
  const seen = anyHidden.test(text) ? unhidden(text) : text
  return anyEscape.test(seen) ? unescaped(seen) : seen
}
