import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { Effect, Schema } from "effect"
import { connection, Installation } from "../../../client/Connection.ts"
import { ClientName, configurationFor } from "../../../client/ToolConfiguration.ts"
import { printableJson } from "../../../kernel/Foreign.ts"
import { version } from "../../../kernel/Version.ts"
import { orTold } from "../../Answer.ts"
import { Output } from "../../Output.ts"
import { argumentOf, optionOf } from "../../Parts.ts"

/*
 * The tool server for agents, and how programs are told about it.
 */

const client = Args.text({ name: "CLIENT" }).pipe(
  argumentOf("CLIENT", ClientName),
  Args.withDescription(`The program that is to use the tools: ${ClientName.literals.join(", ")}`)
)

/** The names of groups; the tools behind them are loaded with the server alone. */
const Group = Schema.Literal("runs")

const tools = Options.text("tools").pipe(
  Options.withPseudoName("GROUP"),
  Options.repeated,
  optionOf("--tools", Schema.Array(Group)),
  Options.withDescription(`More tools beside the fifteen of the board: ${Group.literals.join(", ")}`)
)

const config = Command.make("config", { client, tools }, (given) =>
  Effect.gen(function* () {
    const { say, warn } = yield* Output
    const board = yield* orTold(false, connection)
    const directory = yield* Installation
    const installed = { node: process.execPath, directory }
    const { content, file, notes } = configurationFor(given.client, board, installed, given.tools)
    yield* say(printableJson(content, 2))
    for (const note of [`This belongs into ${file}.`, ...notes]) yield* warn(note)
  })
).pipe(
  Command.withDescription("Print the configuration of a program that is to use the tools, as JSON on stdout.")
)

/** The server is loaded only here, so that no other command waits for the protocol's libraries. */
const stdio = Effect.promise(() => import("../../../mcp/Stdio.ts"))

export const mcp = Command.make("mcp", { tools }, (given) =>
  Effect.flatMap(stdio, ({ serve }) => serve(version, given.tools))
).pipe(Command.withSubcommands([config]))
