#!/usr/bin/env node
import { join } from "node:path"
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as FileSystem from "@effect/platform/FileSystem"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Cause, Effect, Exit, Layer, Schema } from "effect"
import { run } from "./Cli.ts"
import { Installation } from "./Connection.ts"
import { ExitCode } from "./Failure.ts"
import { Output } from "./Output.ts"

const Package = Schema.parseJson(Schema.Struct({ version: Schema.String }))

/** The version of the installed package. */
const version = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  const file = join(yield* Installation, "package.json")
  return (yield* Schema.decode(Package)(yield* files.readFileString(file))).version
}).pipe(Effect.orElseSucceed(() => "unknown"))

const program = Effect.flatMap(version, (known) => run(process.argv, known)).pipe(
  Effect.catchAllCause((cause) =>
    Cause.isInterrupted(cause)
      ? Effect.failCause(cause)
      : Effect.flatMap(Output, ({ warn }) =>
          Effect.as(
            warn(`muster: this is a fault of the command itself\n${Cause.pretty(cause)}`),
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

/** What a shell says of a command that Ctrl+C has ended. */
const interrupted = 130

NodeRuntime.runMain(program, {
  disableErrorReporting: true,
  teardown: (exit, end) => end(Exit.isSuccess(exit) ? Number(process.exitCode) : interrupted)
})
