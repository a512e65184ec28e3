import { stripVTControlCharacters } from "node:util"
import { CliConfig, Command, HelpDoc, ValidationError } from "@effect/cli"
import { Effect } from "effect"
import { ExitCode } from "../client/Failure.ts"
import { printableJson } from "../kernel/Foreign.ts"
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

/** Runs a command line, and gives the exit code. */
export const run = (argv: ReadonlyArray<string>, version: string) =>
  Command.run(muster, { name: "Muster", version, executable: "muster", footer: footer(argv) })(argv).pipe(
    Effect.as<ExitCode>(ExitCode.ok),
    Effect.catchTag("Exit", ({ code }: Exit) => Effect.succeed(code)),
    Effect.catchIf(ValidationError.isValidationError, (error) => misused(argv, error)),
    withOutput,
    Effect.provide(CliConfig.layer({ showBuiltIns: false }))
  )

/** The parser has told on stderr what it can't read; who asked for JSON gets an envelope. */
const misused = (argv: ReadonlyArray<string>, error: ValidationError.ValidationError) =>
  Effect.gen(function* () {
    const { say, warn } = yield* Output
    const told = stripVTControlCharacters(HelpDoc.toAnsiText(error.error)).trim()
    if (argv.includes("--json")) yield* say(printableJson({ error: told, code: "USAGE", details: {} }, 2))
    yield* warn("muster COMMAND --help shows how it is used.")
    return ExitCode.usage
  })
