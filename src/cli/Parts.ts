import * as Args from "@effect/cli/Args"
import * as HelpDoc from "@effect/cli/HelpDoc"
import * as Options from "@effect/cli/Options"
import * as ValidationError from "@effect/cli/ValidationError"
import { Either, ParseResult, Schema, type SchemaAST } from "effect"
import { TaskIdInput } from "../board/tasks/Task.ts"
import { issuesOf } from "../kernel/Issues.ts"
import { nearest } from "../kernel/Nearest.ts"
import { integer } from "../kernel/Text.ts"

/*
 * The arguments and options that several commands share, and how values are read.
 */

/** The word that was probably meant: one that differs by a letter, or by two when it begins the same way. */
const meantBy = (word: string, known: ReadonlyArray<string>): string | undefined =>
  nearest(
    word,
    known.filter((one) => one[0] === word[0]),
    2
  ) ?? nearest(word, known, 1)

/** The words that a schema takes, when it takes nothing else. */
const choices = (ast: SchemaAST.AST): ReadonlyArray<string> => {
  switch (ast._tag) {
    case "Literal":
      return typeof ast.literal === "string" ? [ast.literal] : []
    case "Union":
      return ast.types.flatMap(choices)
    case "TupleType":
      return ast.rest.flatMap(({ type }) => choices(type))
    default:
      return []
  }
}

/** Decodes a value, or says what is wrong with it on one line: nobody reads a tree of types in a terminal. */
const reader = <A, I>(name: string, schema: Schema.Schema<A, I>) => {
  const decode = Schema.decodeUnknownEither(schema, { errors: "all" })
  const known = choices(schema.ast)
  return (value: unknown): Either.Either<A, HelpDoc.HelpDoc> =>
    Either.mapLeft(decode(value), (error) => {
      const issues = issuesOf(ParseResult.ArrayFormatter.formatErrorSync(error))
      const said = [...new Set(issues.map(({ message }) => message))].join("; ")
      const wrong = [value].flat().find((one) => typeof one === "string" && !known.includes(one))
      const meant = meantBy(String(wrong), known)
      return HelpDoc.p(`${name}: ${said}${meant === undefined ? "" : `; did you mean "${meant}"?`}`)
    })
}

/** Decodes the value of an option. */
export const optionOf = <A, I>(name: string, schema: Schema.Schema<A, I>) => {
  const read = reader(name, schema)
  return Options.mapEffect((value: unknown) => Either.mapLeft(read(value), ValidationError.invalidValue))
}

/** Decodes an argument. */
export const argumentOf = <A, I>(name: string, schema: Schema.Schema<A, I>) => {
  const read = reader(name, schema)
  return Args.mapEffect((value: unknown) => read(value))
}

export const id = Args.text({ name: "ID" }).pipe(
  argumentOf("ID", TaskIdInput),
  Args.withDescription("The whole id of a task")
)

/** `--limit N`, from 1 to `max`. */
export const limitUpTo = (max: number, description: string) =>
  Options.text("limit").pipe(
    Options.map(Number),
    optionOf("--limit", integer(1, max)),
    Options.withPseudoName("N"),
    Options.withDescription(description)
  )

export const json = Options.boolean("json").pipe(
  Options.withDescription("Print JSON on stdout and nothing else; errors too, as the server's envelope")
)

/** Words that need no quotes, as one text. */
export const words = (name: string, description: string) =>
  Args.text({ name }).pipe(
    Args.withDescription(description),
    Args.atLeast(1),
    Args.map((parts) => parts.join(" "))
  )
