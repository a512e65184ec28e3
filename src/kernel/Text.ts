import { Schema } from "effect"
import { isAtMost, isVisible } from "./Characters.ts"
import { secretFree } from "./Incoming.ts"
import { madeOnce } from "./MadeOnce.ts"

/** Text that storage and every client can carry: well-formed Unicode without NUL. */
export const isClean = (text: string): boolean => text.isWellFormed() && !text.includes("\0")

/** A run of combining marks that no writing needs: the Stream-Safe Text Format of UAX 15 draws the line at thirty. */
const longRunsOfMarks = /(\p{M}{30})\p{M}+/gu

/**
 * Normalizes to NFC, so that texts that look alike are equal. Sorting combining marks takes time quadratic in their
 * number, nine seconds for 100,000 on one letter, so only the first thirty of a longer run are kept.
 */
export const normalized = (text: string, form: "NFC" | "NFKC" | "NFKD"): string =>
  text.replace(longRunsOfMarks, "$1").normalize(form)

const clean = {
  message: () => "Expected well-formed Unicode without NUL characters",
  // JSON Schema has no word for it; without this line a description that follows would be lost.
  jsonSchema: {}
}

const atMost =
  <A extends string, I, R>(max: number) =>
  (schema: Schema.Schema<A, I, R>) =>
    schema.pipe(
      Schema.filter((text) => isAtMost(text, max), {
        message: () => `Expected at most ${max} characters`,
        jsonSchema: { maxLength: max }
      })
    )

/** Well-formed text. How secrets in it are handled is up to the schema that is built on it. */
type PlainText = Schema.Schema<string>

/**
 * Free text of at most `max` characters as a reader counts. It loses its secrets as it comes in and is kept exactly as it
 * was sent otherwise; a `handle` of `Incoming.ts` says so when it is to be handled in another way.
 */
export const text = madeOnce(
  (max: number, handle: (plain: PlainText) => PlainText = (plain) => secretFree(plain, max)) =>
    handle(Schema.String.pipe(atMost(max), Schema.filter(isClean, clean)))
)

/**
 * Trimmed text with at least one visible character, 1 to `max` characters as a reader counts. Secrets are handled as in
 * `text`.
 */
export const nonBlank = madeOnce(
  (max: number, handle: (plain: PlainText) => PlainText = (plain) => secretFree(plain, max)) =>
    handle(
      Schema.compose(
        Schema.Trim.annotations({ jsonSchema: { type: "string", minLength: 1, maxLength: max } }),
        Schema.Trimmed.pipe(
          Schema.filter(isVisible, { message: () => "Expected text that is not blank", jsonSchema: {} }),
          atMost(max),
          Schema.filter(isClean, clean)
        )
      )
    )
)

/**
 * A list of at most `max` members. Only the first faulty member is reported, with all of its faults: reporting a
 * megabyte of them would take seconds.
 */
export const listOf = <A, I, R>(member: Schema.Schema<A, I, R>, max: number) =>
  Schema.Array(member.annotations(everyIssue))
    .annotations({ parseOptions: { errors: "first" } })
    .pipe(Schema.maxItems(max, { message: () => `Expected at most ${max} items` }))

/** A list of names without duplicates. */
export const unique = <I, R>(names: Schema.Schema<ReadonlyArray<string>, I, R>) =>
  Schema.transform(names, Schema.Array(Schema.String), {
    strict: true,
    decode: (all) => [...new Set(all)],
    encode: (all) => all
  })

/** A flag in a query: `true` or `false`, also as `1` or `0`. */
export const Flag = Schema.transformLiterals(["true", true], ["false", false], ["1", true], ["0", false])

/** An integer from `min` to `max`. */
export const integer = madeOnce((min: number, max: number) => {
  const message = () => `Expected an integer from ${min} to ${max}`
  return Schema.Int.annotations({ message }).pipe(Schema.between(min, max, { message }))
})

/** An integer in a query, from `min` to `max`. */
export const integerText = madeOnce((min: number, max: number) =>
  Schema.compose(
    Schema.NumberFromString.annotations({ jsonSchema: { type: "integer", minimum: min, maximum: max } }),
    integer(min, max)
  )
)

/** Annotates a body so that an answer names all of its faults, not the first one alone. */
export const everyIssue = { parseOptions: { errors: "all" } } as const

/** Annotates a body, or a part of one, in which an unknown field is a fault. */
export const strict = { parseOptions: { errors: "all", onExcessProperty: "error" } } as const
