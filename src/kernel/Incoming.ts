import { ParseResult, Schema, type SchemaAST } from "effect"
import { upTo } from "./Characters.ts"
import { redactJson, redactText } from "./Redaction.ts"

/**
 * What becomes of a secret in a string that a client sends. Every schema of a request says it, by the building block
 * that it is made of, and a walk over the contract finds the one that does not.
 *
 * - `redacted`: the secret is taken out as it comes in.
 * - `refused`: a value that holds one is a fault; the request is a 400.
 * - `kept`: it stays, for the reason that is given.
 */
export type Handling = "redacted" | "refused" | { readonly kept: string }

const Handling: unique symbol = Symbol.for("muster/kernel/Handling")

/** How a schema handles secrets, if it says so itself. */
export const handlingOf = (ast: SchemaAST.AST): Handling | undefined =>
  // Nothing but the building blocks of this file writes the annotation.
  ast.annotations[Handling] as Handling | undefined

/**
 * Text that loses its secrets as it comes in, before anything can store, stream or log it. Where the marker is longer
 * than what it stands for, the text loses its end rather than outgrow `max`: answers are held to the same limit.
 */
export const secretFree = <I, R>(
  schema: Schema.Schema<string, I, R>,
  max = Number.POSITIVE_INFINITY
): Schema.Schema<string, I, R> =>
  Schema.transform(schema, Schema.String, {
    strict: true,
    decode: (said) => {
      const left = redactText(said)
      return left === said ? said : upTo(left, max)
    },
    encode: (said) => said
  }).annotations({ [Handling]: "redacted" })

/** Any JSON that loses its secrets as it comes in: in its texts, in its keys and under its secret names. */
export const secretFreeJson = <A, I, R>(schema: Schema.Schema<A, I, R>): Schema.Schema<A, I, R> =>
  Schema.transform(schema, Schema.typeSchema(schema), {
    strict: true,
    decode: redactJson,
    encode: (value) => value
  }).annotations({ [Handling]: "redacted" })

/**
 * Text in which a secret is a fault, because the text would be wrong without it: a command line, an id. What an earlier
 * version accepted is still shown.
 */
export const openly =
  (message = "Expected no secret in it") =>
  <I, R>(schema: Schema.Schema<string, I, R>): Schema.Schema<string, I, R> =>
    Schema.transformOrFail(schema, Schema.typeSchema(schema), {
      strict: true,
      decode: (said, _, ast) =>
        redactText(said) === said
          ? ParseResult.succeed(said)
          : ParseResult.fail(new ParseResult.Type(ast, said, message)),
      encode: ParseResult.succeed
    }).annotations({ [Handling]: "refused" })

/**
 * A value with parts in which a secret is a fault, because its digest would be wrong without it: evidence that somebody
 * vouches for. The fault names where the secret stands, and nothing of it.
 */
export const openlyThroughout = <A, I, R>(schema: Schema.Schema<A, I, R>): Schema.Schema<A, I, R> =>
  schema
    .pipe(
      Schema.filter((value) =>
        differences(value, redactJson(value)).map((path) => ({ path, message: "Expected no secret in it" }))
      )
    )
    .annotations({ [Handling]: "refused" })

/** Where two values of one shape differ. */
const differences = (
  one: unknown,
  other: unknown,
  path: ReadonlyArray<string> = []
): ReadonlyArray<ReadonlyArray<string>> => {
  if (one === other) return []
  if (!isParted(one) || !isParted(other)) return [path]
  const parts = Object.entries(one)
  const left = Object.entries(other)
  // A part whose name lost something stands under another name now: the whole is named, as the name is the secret.
  if (parts.some(([key], index) => key !== left[index]?.[0])) return [path]
  return parts.flatMap(([key, part], index) => differences(part, left[index]?.[1], [...path, key]))
}

const isParted = (value: unknown): value is object => typeof value === "object" && value !== null

/** Marks a schema whose value is kept exactly as it was sent, and says why that is right. */
export const kept =
  (reason: string) =>
  <A, I, R>(schema: Schema.Schema<A, I, R>): Schema.Schema<A, I, R> =>
    schema.annotations({ [Handling]: { kept: reason } })

/** What a search looks for. */
export const soughtFor = kept("It is compared with what is stored, and is not stored itself.")

/** A password, a code or a token that somebody shows. */
export const aSecret = kept("It is a secret: it is hashed or compared, and nothing stores it as it is.")

/** An id that was given out by somebody else: it is looked up, and an unknown one is a 404 or matches nothing. */
export const lookedUp = kept("It is compared with the ids that are there; an unknown one is not stored.")
