import type { Described } from "./CommandDescription.ts"
import { examplesOf } from "./Examples.ts"
import { hanging, paragraph, section, terms } from "./Layout.ts"
import { noteOf } from "./Notes.ts"

/** Stands for a space at which a line must not break. */
const unbroken = "\u00a0"

/** The usage of a command; lines break only between its parts. */
const usageLines = ({ parts, path, subcommands }: Described): ReadonlyArray<string> => {
  const head = `  muster ${path.join(" ")}`
  const own = parts.map(({ text }) => text.replaceAll(" ", unbroken)).join(" ")
  const line = hanging(`${head} `, own).replaceAll(unbroken, " ")
  if (subcommands.length === 0) return [own === "" ? head : line]
  return own === "" ? [`${head} [COMMAND]`] : [line, `${head} COMMAND`]
}

/** The help of one command. */
export const commandHelp = (command: Described): string => {
  const { options, path, says, subcommands } = command
  const examples = examplesOf(path).map((example) => `  $ muster ${example}`)
  const note = noteOf(path)
  return [
    paragraph(says),
    section("USAGE", usageLines(command).join("\n")),
    ...(subcommands.length === 0
      ? []
      : [
          section(
            "COMMANDS",
            terms(subcommands.map(({ path, says }) => ({ label: path.at(-1) ?? "", says })))
          )
        ]),
    ...(command.arguments.length === 0 ? [] : [section("ARGUMENTS", terms(command.arguments))]),
    ...(options.length === 0 ? [] : [section("OPTIONS", terms(options))]),
    ...(note === undefined ? [] : [note]),
    ...(examples.length === 0 ? [] : [section("EXAMPLES", examples.join("\n"))]),
    "muster --help lists all commands, the variables and the exit codes."
  ].join("\n\n")
}
