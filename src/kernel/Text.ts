import { Schema } from "effect"
import { redactText } from "./Redaction.ts"

/** Text that storage and every client can carry: well-formed Unicode without NUL. */
export const isClean = (text: string): boolean => text.isWellFormed() && !text.includes("\0")

/** A run of combining marks that no writing needs: the Stream-Safe Text Format of UAX 15 draws the line at thirty. */
const longRunsOfMarks = /(\p{M}{30})\p{M}+/gu

/**
 * One encoding for texts that look alike. Putting marks into their order takes time that is quadratic in their number:
 * 100,000 of them on one letter would take nine seconds, so of a longer run the first thirty stay.
 */
export const normalized = (text: string, form: "NFC" | "NFKC" | "NFKD"): string =>
  text.replace(longRunsOfMarks, "$1").normalize(form)

/** The first `max` UTF-16 units of a text, or one less, so that no character is cut into two. */
export const clip = (text: string, max: number): string =>
  text.length <= max ? text : text.slice(0, max).replace(/[\uD800-\uDBFF]$/, "")

const clean = {
  message: () => "Expected well-formed Unicode without NUL characters",
  // JSON Schema has no word for it; without this line a description that follows would be lost.
  jsonSchema: {}
}

/** Free text of at most `max` characters as a reader counts, kept exactly as it was sent. */
export const text = (max: number) => Schema.String.pipe(atMost(max), Schema.filter(isClean, clean))

/** What a reader does not see: white space, controls, characters without a form, and the empty cell of Braille. */
const unseen = /[\p{White_Space}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu

/** How many characters of a text a reader sees or steps over: code points between the first and the last seen one. */
export const visibleLength = (text: string): number => [...withoutInvisible(text).trim()].length

const withoutInvisible = (text: string): string =>
  text.replace(unseen, (character) => (character.trim() === "" ? character : ""))

/** Whether a reader sees anything of a text at all. */
export const isVisible = (text: string): boolean => text.replace(unseen, "") !== ""

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" })

/** So many UTF-16 units count as one character at the most: a family in four skin colours has nineteen. */
const unitsPerCharacter = 32

/** How much of a text is cut into characters at once: what a segmenter takes for each grows with what it is given. */
const window = 1_024

/** The longest text that is measured by its clusters: 2,000 of them take some ten milliseconds. */
const countedByReaders = 2_000

/**
 * Whether a text has at most `max` characters, as a reader counts them: grapheme clusters, or code points where nobody
 * counts, above 2,000. Most texts are shorter in units already; of others no more is looked at than it takes to know.
 */
export const isAtMost = (text: string, max: number): boolean => {
  if (text.length <= max) return true
  if (max > countedByReaders) return text.length - (text.match(/[\ud800-\udbff]/g)?.length ?? 0) <= max
  if (text.length > max * unitsPerCharacter) return false
  let count = 0
  for (let start = 0; start < text.length; ) {
    const part = wholeCharacters(text.slice(start, start + window))
    const isLast = start + part.length >= text.length
    const ends = Array.from(graphemes.segment(part), ({ index }) => index)
    // The last character of a part may go on in the next one, which therefore begins with it.
    const next = isLast ? part.length : (ends.at(-1) ?? 0) || part.length
    count += isLast || ends.length === 1 ? ends.length : ends.length - 1
    if (count > max) return false
    start += next
  }
  return true
}

/** A part of a text that does not end within a pair of surrogates: half of one would count by itself. */
const wholeCharacters = (part: string): string => (/[\ud800-\udbff]$/.test(part) ? part.slice(0, -1) : part)

const atMost =
  <A extends string, I, R>(max: number) =>
  (schema: Schema.Schema<A, I, R>) =>
    schema.pipe(
      Schema.filter((text) => isAtMost(text, max), {
        message: () => `Expected at most ${max} characters`,
        jsonSchema: { maxLength: max }
      })
    )

/** Text that says something: trimmed, with something that can be seen, 1 to `max` characters as a reader counts. */
export const nonBlank = (max: number) =>
  Schema.compose(
    Schema.Trim.annotations({ jsonSchema: { type: "string", minLength: 1, maxLength: max } }),
    Schema.Trimmed.pipe(
      Schema.filter(isVisible, { message: () => "Expected text that is not blank", jsonSchema: {} }),
      atMost(max),
      Schema.filter(isClean, clean)
    )
  )

/** Text that loses its secrets as it comes in, before anything can store, stream or log it. */
export const secretFree = <I, R>(schema: Schema.Schema<string, I, R>) =>
  Schema.transform(schema, Schema.String, { strict: true, decode: redactText, encode: (text) => text })

/**
 * A list of at most `max` members. An answer names all faults of the first member that has any: a megabyte of wrong
 * members would otherwise be told one by one, for seconds.
 */
export const listOf = <A, I, R>(member: Schema.Schema<A, I, R>, max: number) =>
  Schema.Array(member.annotations(everyIssue))
    .annotations({ parseOptions: { errors: "first" } })
    .pipe(Schema.maxItems(max, { message: () => `Expected at most ${max} items` }))

/** A list of names with each of them once. */
export const unique = <I, R>(names: Schema.Schema<ReadonlyArray<string>, I, R>) =>
  Schema.transform(names, Schema.Array(Schema.String), {
    strict: true,
    decode: (all) => [...new Set(all)],
    encode: (all) => all
  })

/** A flag in a query: `true` or `false`, also as `1` or `0`. */
export const Flag = Schema.transformLiterals(["true", true], ["false", false], ["1", true], ["0", false])

/** An integer from `min` to `max`. */
export const integer = (min: number, max: number) => {
  const message = () => `Expected an integer from ${min} to ${max}`
  return Schema.Int.annotations({ message }).pipe(Schema.between(min, max, { message }))
}

/** An integer in a query, from `min` to `max`. */
export const integerText = (min: number, max: number) =>
  Schema.compose(
    Schema.NumberFromString.annotations({ jsonSchema: { type: "integer", minimum: min, maximum: max } }),
    integer(min, max)
  )

/** Annotates a body so that an answer names all of its faults, not the first one alone. */
export const everyIssue = { parseOptions: { errors: "all" } } as const

/** Annotates a body, or a part of one, in which a field that nobody knows is a fault. */
export const strict = { parseOptions: { errors: "all", onExcessProperty: "error" } } as const
