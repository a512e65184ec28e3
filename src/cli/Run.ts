import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Cause, Effect, Exit, Layer } from "effect"
import { Surroundings } from "../client/Connection.ts"
import { ExitCode } from "../client/Failure.ts"
import { environmentWith, readEnvironmentFile } from "../kernel/EnvironmentFile.ts"
import { version } from "../kernel/Version.ts"
import { run } from "./Cli.ts"
import { Output } from "./Output.ts"

/** Runs the command with the variables of this process and those of a `.env` beside it. */
const surrounded = Effect.gen(function* () {
  const file = yield* readEnvironmentFile(process.cwd())
  const names = Object.keys(process.env)
  return yield* run(process.argv, version).pipe(
    Effect.withConfigProvider(environmentWith(file)),
    Effect.provideService(Surroundings, {
      all: new Set([...names, ...file.keys()]),
      fromFile: new Set([...file.keys()].filter((name) => !names.includes(name)))
    })
  )
}).pipe(
  Effect.catchTag("EnvironmentFileUnreadable", ({ message }) =>
    Effect.flatMap(Output, ({ warn }) => Effect.as(warn(`muster: ${message}`), ExitCode.usage))
  )
)

const program = surrounded.pipe(
  Effect.catchAllCause((cause) =>
    Cause.isInterrupted(cause)
      ? Effect.failCause(cause)
      : Effect.flatMap(Output, ({ warn }) =>
          Effect.as(
            warn(`muster: this is a bug in the command itself\n${Cause.pretty(cause)}`),
            ExitCode.unexpected
          )
        )
  ),
  Effect.tap((code) =>
    Effect.sync(() => {
      process.exitCode = code
    })
  ),
  Effect.provide(Layer.mergeAll(NodeContext.layer, FetchHttpClient.layer, Output.layer))
)

/** The exit code of a command that Ctrl+C has ended, as shells have it. */
const interrupted = 130

NodeRuntime.runMain(program, {
  disableErrorReporting: true,
  teardown: (exit, end) => end(Exit.isSuccess(exit) ? Number(process.exitCode) : interrupted)
})
