import { stripVTControlCharacters } from "node:util"
import { CliConfig, Command, HelpDoc, ValidationError } from "@effect/cli"
import { Effect, HashMap } from "effect"
import { ExitCode } from "../client/Failure.ts"
import { oneLine, printableJson } from "../kernel/Foreign.ts"
import { nearest } from "../kernel/Nearest.ts"
import type { Exit } from "./Answer.ts"
import { analytics } from "./commands/Analytics.ts"
import { audit } from "./commands/Audit.ts"
import { backup } from "./commands/Backup.ts"
import { chat } from "./commands/Chat.ts"
import { doctor } from "./commands/Doctor.ts"
import { hooks } from "./commands/Hooks.ts"
import { importCommand } from "./commands/Import.ts"
import { mcp } from "./commands/Mcp.ts"
import { next } from "./commands/Next.ts"
import { pair } from "./commands/Pair.ts"
import { relay } from "./commands/Relay.ts"
import { restore } from "./commands/Restore.ts"
import { reindex, search } from "./commands/Search.ts"
import { comment, create, list, show } from "./commands/Tasks.ts"
import { time } from "./commands/Time.ts"
import { trackers } from "./commands/Trackers.ts"
import { watch } from "./commands/Watch.ts"
import { begin, block, done, unblock } from "./commands/Work.ts"
import { workspaces } from "./commands/Workspaces.ts"
import { footer } from "./Help.ts"
import { Output, withOutput } from "./Output.ts"
import { CommandLine } from "./Parts.ts"

/** The command, with all that it can be asked. */
export const muster = Command.make("muster").pipe(
  Command.withDescription("Work with the tasks of a Muster board. muster COMMAND --help tells more."),
  Command.withSubcommands([
    next,
    begin,
    done,
    block,
    unblock,
    time,
    list,
    show,
    search,
    create,
    comment,
    chat,
    watch,
    analytics,
    importCommand,
    hooks,
    trackers,
    relay,
    backup,
    restore,
    reindex,
    audit,
    workspaces,
    pair,
    mcp,
    doctor
  ])
)

const names: ReadonlyArray<string> = [...HashMap.keys(Command.getSubcommands(muster))]

/** A command may be so many letters from the one that was meant. */
const typo = 2

/** What people type who know other commands: `muster help list` and `muster -v`. */
const understood = (argv: ReadonlyArray<string>): ReadonlyArray<string> => {
  const [node = "", script = "", first, ...rest] = argv
  if (first === "help") return [node, script, ...rest, "--help"]
  return first === "-v" ? [node, script, "--version"] : argv
}

/** Runs a command line, and gives the exit code. */
export const run = (typed: ReadonlyArray<string>, version: string) => {
  const argv = understood(typed)
  const command = argv[2]
  const outcome =
    command === undefined || command.startsWith("-") || names.includes(command)
      ? Effect.catchIf(
          Command.run(muster, { name: "Muster", version, executable: "muster", footer: footer(argv) })(argv),
          ValidationError.isValidationError,
          // The parser has told on stderr what it can't read.
          (error) => misused(argv, stripVTControlCharacters(HelpDoc.toAnsiText(error.error)).trim())
        )
      : unknown(argv, command)
  return outcome.pipe(
    Effect.map((code) => code ?? ExitCode.ok),
    Effect.catchTag("Exit", ({ code }: Exit) => Effect.succeed(code)),
    withOutput,
    Effect.provideService(CommandLine, argv),
    Effect.provide(CliConfig.layer({ showBuiltIns: false }))
  )
}

const unknown = (argv: ReadonlyArray<string>, command: string) =>
  Effect.gen(function* () {
    const { warn } = yield* Output
    const meant = nearest(command, names, typo)
    const told = `There is no command ${oneLine(command.slice(0, 100))}${meant === undefined ? "" : `: did you mean ${meant}?`}`
    yield* warn(`muster: ${told}`)
    return yield* misused(argv, told, "muster --help lists them all.")
  })

/** Whoever asked for JSON gets an envelope. */
const misused = (
  argv: ReadonlyArray<string>,
  told: string,
  remedy = "muster COMMAND --help shows how it is used."
) =>
  Effect.gen(function* () {
    const { say, warn } = yield* Output
    if (argv.includes("--json")) yield* say(printableJson({ error: told, code: "USAGE", details: {} }, 2))
    yield* warn(remedy)
    return ExitCode.usage
  })
