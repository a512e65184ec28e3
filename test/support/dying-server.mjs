// The built server, which is killed as it reaches a step of its work on a worktree: `dying-server.mjs DIRECTORY STEP`.
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { ConfigProvider, Console, Effect, Layer, Logger, LogLevel } from "effect"
import { WorktreeSteps } from "../../dist/board/worktrees/WorktreeSteps.js"
import { environment } from "../../dist/Config.js"
import { ServerAddress } from "../../dist/http/Server.js"
import { Program } from "../../dist/Program.js"

const [directory, fatal] = process.argv.slice(2)

const deadly = Layer.succeed(WorktreeSteps, {
  reached: (step) =>
    Effect.sync(() => {
      if (step === fatal) process.kill(process.pid, "SIGKILL")
    })
})

const serve = Effect.gen(function* () {
  const { settings } = yield* environment
  const program = Program({ ...settings, directory, port: 0 }).pipe(
    Layer.tap((context) =>
      Effect.flatMap(Effect.provide(ServerAddress, context), ({ port }) => Console.log(`port ${port}`))
    ),
    Layer.provide(deadly)
  )
  return yield* Layer.launch(program)
})

NodeRuntime.runMain(
  serve.pipe(Effect.withConfigProvider(ConfigProvider.fromEnv()), Logger.withMinimumLogLevel(LogLevel.None))
)
