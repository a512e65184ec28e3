import * as CliConfig from "@effect/cli/CliConfig"
import type { Command } from "@effect/cli/Command"
import * as CommandDescriptor from "@effect/cli/CommandDescriptor"
import * as HelpDoc from "@effect/cli/HelpDoc"
import * as ValidationError from "@effect/cli/ValidationError"
import type { CommandExecutor } from "@effect/platform/CommandExecutor"
import type { FileSystem } from "@effect/platform/FileSystem"
import type { HttpClient } from "@effect/platform/HttpClient"
import type { Path } from "@effect/platform/Path"
import type { Terminal } from "@effect/platform/Terminal"
import { Context, Effect } from "effect"
import type { Exit } from "./Answer.ts"
import { type Described, describe, lineOf } from "./help/CommandDescription.ts"
import type { Output } from "./Output.ts"

/** The descriptions of all commands, for the one that writes completions for a shell. */
export class AllCommands extends Context.Tag("muster/cli/AllCommands")<
  AllCommands,
  Effect.Effect<ReadonlyArray<Described>>
>() {}

/** The services that commands need. */
export type Needs = AllCommands | CommandExecutor | FileSystem | HttpClient | Output | Path | Terminal

/** A command that can be run and described. */
export interface Loaded {
  readonly described: Described
  /** Runs the command with the words after its name; fails with what is wrong with them. */
  readonly run: (
    words: ReadonlyArray<string>
  ) => Effect.Effect<void, Exit | ValidationError.ValidationError, Needs>
}

const config = CliConfig.make({ showBuiltIns: false })

const misused = (told: string) => Effect.fail(ValidationError.invalidValue(HelpDoc.p(told)))

/**
 * Makes a command of the parser runnable. Only the parser is used, not its application, which would prompt at a
 * terminal and print help and errors in another form.
 */
export const loaded = <Name extends string, A>(
  name: Name,
  says: string,
  command: Command<Name, Needs, Exit | ValidationError.ValidationError, A>
): Loaded => ({
  described: { ...describe([name], command.descriptor), says },
  run: (words) =>
    Effect.flatMap(CommandDescriptor.parse(command.descriptor, [name, ...words], config), (directive) => {
      // The only built-in option is the help, which is handled before the parser runs.
      if (directive._tag === "BuiltIn") return misused("There is no such option")
      const { leftover, value } = directive
      return leftover.length > 0
        ? misused(
            leftover[0]?.startsWith("--")
              ? `${leftover[0]} is given twice`
              : `${leftover[0]} is one word too many here`
          )
        : command.transform(command.handler(value), value)
    })
})

/** What is wrong with a command line, on one line. */
export const reasonOf = (error: ValidationError.ValidationError): string => lineOf(error.error)
