import { isUtf8 } from "node:buffer"
import { Brand } from "effect"

/**
 * The name of a file in a repository, byte for byte, one character (U+0000 to U+00FF) for each byte. A few names are
 * not UTF-8, but they name somebody's work: what goes back to git or to the file system keeps this form, and only what
 * a reader sees is decoded.
 */
export type FileName = string & Brand.Brand<"FileName">

const fileName = Brand.nominal<FileName>()

/** The records of what git wrote with `-z`. A name that stands in one keeps its bytes. */
export const recordsOf = (output: Buffer): ReadonlyArray<FileName> =>
  output
    .toString("latin1")
    .split("\0")
    .filter((record) => record !== "")
    .map((record) => fileName(record))

/** The part of a record that is a name. */
export const nameIn = (record: string): FileName => fileName(record)

/** What git reads as a list of names with `-z --stdin`. */
export const listOf = (names: Iterable<FileName>): Buffer =>
  Buffer.from([...names].map((name) => `${name}\0`).join(""), "latin1")

/** The path of a file in a directory, for calls of the file system. */
export const pathIn = (directory: string, name: FileName): Buffer =>
  Buffer.concat([Buffer.from(`${directory}/`), Buffer.from(name, "latin1")])

const escapes: Readonly<Record<string, string>> = {
  "\x07": "\\a",
  "\b": "\\b",
  "\t": "\\t",
  "\n": "\\n",
  "\v": "\\v",
  "\f": "\\f",
  "\r": "\\r",
  '"': '\\"',
  "\\": "\\\\"
}

const isControl = (code: number): boolean => code < 0x20 || code === 0x7f

/** Text as git quotes it. Bytes above ASCII that are not UTF-8 are written as octal numbers. */
const quoted = (text: string, above: "text" | "bytes"): string => {
  const inside = [...text].map((character) => {
    const code = character.charCodeAt(0)
    if (escapes[character] !== undefined) return escapes[character]
    return isControl(code) || (code > 0x7f && above === "bytes")
      ? `\\${code.toString(8).padStart(3, "0")}`
      : character
  })
  return `"${inside.join("")}"`
}

/**
 * A name as people read it. One that is not UTF-8, or holds a control character, a quote or a backslash, is quoted as
 * git quotes it, so that no two names look alike and each can be found again: `"caf\\351"`.
 */
export const shown = (name: FileName): string => {
  const bytes = Buffer.from(name, "latin1")
  const text = bytes.toString()
  if (!isUtf8(bytes) || /\p{Cc}/u.test(text)) return quoted(name, "bytes")
  return /["\\]/.test(text) ? quoted(text, "text") : text
}
