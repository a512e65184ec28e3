import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Cause, Console, Effect, Layer, Logger } from "effect"
import { environment } from "./Config.ts"
import { greeting } from "./Greeting.ts"
import { warningsOf } from "./identity/auth/ShortKeys.ts"
import { environmentWith, namesSet, readEnvironmentFile } from "./kernel/EnvironmentFile.ts"
import * as RedactedLogger from "./kernel/RedactedLogger.ts"
import { unknownVariables } from "./kernel/VariableNames.ts"
import { Program } from "./Program.ts"
import { refusalOf } from "./StartRefusal.ts"

const serve = Effect.gen(function* () {
  const file = yield* readEnvironmentFile(process.cwd())
  const { logFormat, logLevel, settings } = yield* Effect.withConfigProvider(
    environment,
    environmentWith(file)
  )
  const logger = logFormat === "json" ? RedactedLogger.json : RedactedLogger.pretty
  const unknown = unknownVariables([...Object.keys(process.env), ...file.keys()], settings.secrets.keys())
  const variables = namesSet(process.env, file)
  const adminKeyFrom =
    settings.auth.adminKey === undefined
      ? undefined
      : process.env["SERVICE_ADMIN_KEY"] === undefined
        ? "file"
        : "environment"
  return yield* Effect.forEach([...unknown, ...warningsOf(settings.auth)], (line) =>
    Effect.logWarning(line)
  ).pipe(
    Effect.zipRight(
      Layer.launch(
        Layer.tap(Program({ ...settings, variables }), (context) =>
          Effect.provide(greeting(adminKeyFrom), context)
        )
      )
    ),
    Effect.onInterrupt(() => Effect.logInfo("Stopped")),
    Logger.withMinimumLogLevel(logLevel),
    Effect.provide(logger)
  )
})

/** A start that fails tells the operator what to change. */
const refuse = (cause: Cause.Cause<object>) => {
  const refusal = refusalOf(cause)
  return refusal === undefined
    ? Effect.logFatal("The server failed", cause)
    : Console.error(`muster: ${refusal}`)
}

// What nobody can read any more ends nothing: a pipe that was closed, a log on a disk that is full.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {})

NodeRuntime.runMain(
  Effect.tapErrorCause(serve, (cause) => (Cause.isInterruptedOnly(cause) ? Effect.void : refuse(cause))),
  { disableErrorReporting: true, disablePrettyLogger: true }
)
