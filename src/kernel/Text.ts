import { Schema } from "effect"
import { secretFree } from "./Incoming.ts"

/** Text that storage and every client can carry: well-formed Unicode without NUL. */
export const isClean = (text: string): boolean => text.isWellFormed() && !text.includes("\0")

const clean = {
  message: () => "Expected well-formed Unicode without NUL characters",
  // JSON Schema has no word for it; without this line a description that follows would be lost.
  jsonSchema: {}
}

/** Text whose schema does not yet say what becomes of the secrets in it. */
type PlainText = Schema.Schema<string>

/**
 * Free text of at most `max` UTF-16 units. It loses its secrets as it comes in and is kept exactly as it was sent
 * otherwise; a second argument of `Incoming.ts` handles them in another way.
 */
export const text = (
  max: number,
  handle: (plain: PlainText) => PlainText = (plain) => secretFree(plain, max)
) =>
  handle(
    Schema.String.pipe(
      Schema.maxLength(max, { message: () => `Expected at most ${max} characters` }),
      Schema.filter(isClean, clean)
    )
  )

/** Text that says something: trimmed, 1 to `max` characters. Its secrets are handled as those of `text`. */
export const nonBlank = (
  max: number,
  handle: (plain: PlainText) => PlainText = (plain) => secretFree(plain, max)
) =>
  handle(
    Schema.compose(
      Schema.Trim.annotations({ jsonSchema: { type: "string", minLength: 1, maxLength: max } }),
      Schema.Trimmed.pipe(
        Schema.minLength(1, { message: () => "Expected text that is not blank" }),
        Schema.maxLength(max, { message: () => `Expected at most ${max} characters` }),
        Schema.filter(isClean, clean)
      )
    )
  )

/**
 * A list of at most `max` members. An answer names all faults of the first member that has any: a megabyte of wrong
 * members would otherwise be told one by one, for seconds.
 */
export const listOf = <A, I, R>(member: Schema.Schema<A, I, R>, max: number) =>
  Schema.Array(member.annotations(everyIssue))
    .annotations({ parseOptions: { errors: "first" } })
    .pipe(Schema.maxItems(max, { message: () => `Expected at most ${max} items` }))

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
