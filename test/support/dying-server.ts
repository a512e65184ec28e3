// The server, which is killed as it reaches a step of its work on a worktree: `dying-server.js DIRECTORY STEP`.
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { ConfigProvider, Console, Effect, Layer, Logger, LogLevel } from "effect"
import { WorktreeSteps } from "../../src/board/worktrees/WorktreeSteps.ts"
import { environment } from "../../src/Config.ts"
import { ServerAddress } from "../../src/http/Server.ts"
import { Program } from "../../src/Program.ts"

const [directory = "", fatal] = process.argv.slice(2)

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
