import { Args, HelpDoc, Options, ValidationError } from "@effect/cli"
import { Context, Effect, Either, ParseResult, Schema } from "effect"
import { TaskIdInput } from "../board/tasks/Task.ts"
import { issuesOf } from "../kernel/Issues.ts"

/*
 * The arguments and options that several commands share, and how values are read.
 */

/** A value as its schema has it, or what stands against it, in a line: nobody reads a tree of types in a terminal. */
const reader = <A, I>(name: string, schema: Schema.Schema<A, I>) => {
  const decode = Schema.decodeUnknownEither(schema, { errors: "all" })
  return (value: unknown): Either.Either<A, HelpDoc.HelpDoc> =>
    Either.mapLeft(decode(value), (error) => {
      const issues = issuesOf(ParseResult.ArrayFormatter.formatErrorSync(error))
      return HelpDoc.p(`${name}: ${[...new Set(issues.map(({ message }) => message))].join("; ")}`)
    })
}

/** Reads the value of an option as a schema has it. */
export const optionOf = <A, I>(name: string, schema: Schema.Schema<A, I>) => {
  const read = reader(name, schema)
  return Options.mapEffect((value: unknown) => Either.mapLeft(read(value), ValidationError.invalidValue))
}

/** Reads an argument as a schema has it. */
export const argumentOf = <A, I>(name: string, schema: Schema.Schema<A, I>) => {
  const read = reader(name, schema)
  return Args.mapEffect((value: unknown) => read(value))
}

export const id = Args.text({ name: "ID" }).pipe(
  argumentOf("ID", TaskIdInput),
  Args.withDescription("The whole id of a task")
)

export const json = Options.boolean("json").pipe(
  Options.withDescription("Print JSON on stdout and nothing else; errors too, as the server's envelope")
)

/** The command line as it was typed. */
export class CommandLine extends Context.Reference<CommandLine>()("muster/cli/CommandLine", {
  defaultValue: (): ReadonlyArray<string> => []
}) {}

/** What looks like an option: two dashes, or one and a letter. */
const option = /^--?[A-Za-z]/

/**
 * Words that need no quotes, as one text. An option that the command does not have is none of them, unless two dashes
 * stand before it.
 */
export const words = (name: string, description: string) =>
  Args.text({ name }).pipe(
    Args.withDescription(description),
    Args.atLeast(1),
    Args.mapEffect((parts) =>
      Effect.flatMap(CommandLine, (typed): Effect.Effect<string, HelpDoc.HelpDoc> => {
        const unknown = typed.includes("--") ? undefined : parts.find((part) => option.test(part))
        return unknown === undefined
          ? Effect.succeed(parts.join(" "))
          : Effect.fail(
              HelpDoc.p(`There is no option ${unknown} here; put -- before words that begin with a dash`)
            )
      })
    )
  )
