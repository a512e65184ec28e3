import type { ValidationError } from "@effect/cli/ValidationError"
import { Effect } from "effect"
import { ExitCode } from "../client/Failure.ts"
import { oneLine, printableJson } from "../kernel/Foreign.ts"
import { nearest } from "../kernel/Nearest.ts"
import { catalogue, type Entry } from "./Catalogue.ts"
import type { Described } from "./help/CommandDescription.ts"
import { commandHelp } from "./help/CommandHelp.ts"
import { overview } from "./help/Overview.ts"
import { AllCommands, reasonOf } from "./LoadedCommand.ts"
import { Output } from "./Output.ts"
import { type Words, wordsFor } from "./Words.ts"

/** The most letters by which a mistyped word may differ from a known one. */
const typo = 2

/** The first words that ask for help and for the version, also as other programs spell them. */
const help: ReadonlySet<string> = new Set(["--help", "-h", "help"])
const versions: ReadonlySet<string> = new Set(["--version", "-v"])

/** Runs a command line, and gives the exit code. */
export const run = (argv: ReadonlyArray<string>, version: string) =>
  Effect.gen(function* () {
    const { say } = yield* Output
    const [first, ...rest] = argv.slice(2)
    const [name, ...words] = first === "help" && rest.length > 0 ? [...rest, "--help"] : [first, ...rest]
    if (name === undefined || help.has(name)) return yield* Effect.as(say(overview(catalogue)), ExitCode.ok)
    if (versions.has(name)) return yield* Effect.as(say(version), ExitCode.ok)
    const entry = catalogue.find((one) => one.name === name)
    return yield* entry === undefined ? unknown(name, words) : runEntry(entry, words)
  }).pipe(
    Effect.catchTag("Exit", ({ code }) => Effect.succeed(code)),
    Effect.provideService(AllCommands, allCommands)
  )

const allCommands = Effect.promise(() =>
  Promise.all(catalogue.map(async ({ load }) => (await load()).described))
)

const runEntry = (entry: Entry, words: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const { say } = yield* Output
    const { described, run } = yield* Effect.promise(entry.load)
    const given = wordsFor(described, words)
    const helped = Effect.as(say(commandHelp(given.command)), ExitCode.ok)
    if (given.asksForHelp) return yield* helped
    const wrong = misplaced(given)
    if (wrong !== undefined) return yield* misused(given.command.path, words, wrong)
    return yield* Effect.as(run(words), ExitCode.ok).pipe(
      Effect.catchIf(isMisuse, (error) =>
        error._tag === "HelpRequested" ? helped : misused(given.command.path, words, reasonOf(error))
      )
    )
  })

const isMisuse = (error: { readonly _tag: string }): error is ValidationError => error._tag !== "Exit"

/** What a command line has too much or too little, and what may have been meant; undefined when nothing. */
const misplaced = (given: Words): string | undefined => {
  const { command, missingOption, optionWithoutValue, unknownOption, unknownSubcommand } = given
  const name = `muster ${command.path.join(" ")}`
  if (unknownSubcommand !== undefined) {
    return `${name} has no command ${quoted(unknownSubcommand, subcommandsOf(command))}`
  }
  if (unknownOption !== undefined) {
    const known = command.parts.flatMap(({ option }) => option ?? [])
    const words = command.arguments.length === 0 ? "" : "; put -- before words that begin with a dash"
    return `${name} has no option ${quoted(unknownOption, [...known, "--help"])}${words}`
  }
  if (optionWithoutValue !== undefined) return `${optionWithoutValue.option} needs a value`
  return missingOption === undefined ? undefined : `${name} needs ${missingOption.text}`
}

const subcommandsOf = ({ subcommands }: Described): ReadonlyArray<string> =>
  subcommands.map(({ path }) => path.at(-1) ?? "")

/** A word as it was typed, with the known one that it resembles. */
const quoted = (word: string, known: ReadonlyArray<string>): string => {
  const meant = nearest(word, known, typo)
  return `${oneLine(word.slice(0, 100))}${meant === undefined ? "" : `: did you mean ${meant}?`}`
}

const unknown = (word: string, words: ReadonlyArray<string>) =>
  tell(
    word.startsWith("-")
      ? `The command comes first, and ${quoted(word, [])} is not a command`
      : `There is no command ${quoted(
          word,
          catalogue.map(({ name }) => name)
        )}`,
    "muster --help lists them all.",
    words
  )

const misused = (path: ReadonlyArray<string>, words: ReadonlyArray<string>, told: string) =>
  tell(told, `muster ${path.join(" ")} --help shows how it is used.`, words)

/** Says what is wrong with a command line; with `--json` also as an error envelope on stdout. */
const tell = (told: string, remedy: string, words: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const { say, warn } = yield* Output
    if (words.includes("--json")) yield* say(printableJson({ error: told, code: "USAGE", details: {} }, 2))
    yield* warn(`muster: ${told}\n${remedy}`)
    return ExitCode.usage
  })
