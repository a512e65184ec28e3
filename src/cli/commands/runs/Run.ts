import * as Command from "@effect/cli/Command"
import { messageRun, stopRun } from "./Control.ts"
import { runLog } from "./Log.ts"
import { runResult, runStatus } from "./Standing.ts"
import { startRun } from "./Start.ts"

/*
 * Agents at work on tasks: start, status, log, message, stop, result.
 */

export const run = Command.make("run").pipe(
  Command.withSubcommands([startRun, runStatus, runLog, messageRun, stopRun, runResult])
)
