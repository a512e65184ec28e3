import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Cause, Console, Effect, Layer, Logger } from "effect"
import { environment } from "./Config.ts"
import { ServerAddress } from "./http/Server.ts"
import { Auth } from "./identity/auth/Auth.ts"
import * as RedactedLogger from "./kernel/RedactedLogger.ts"
import { Program } from "./Program.ts"
import { refusalOf } from "./StartRefusal.ts"

/** What a newcomer needs to know once the board is up. */
const greeting = Effect.gen(function* () {
  const { baseUrl } = yield* ServerAddress
  const auth = yield* Auth
  const key =
    auth.adminKeyFile === undefined
      ? auth.enabled
        ? "Keys: those of SERVICE_ADMIN_KEY and SERVICE_API_KEYS"
        : "Authentication is off: everybody on this machine is admin"
      : `Admin key: ${auth.adminKeyFile} (the muster command finds it by itself)`
  const header = auth.adminKeyFile === undefined ? "" : ` -H "X-API-Key: $(cat ${auth.adminKeyFile})"`
  yield* Console.log(
    [
      "",
      `Muster is up at ${baseUrl}`,
      `  ${key}`,
      `  Docs: ${baseUrl}/docs   Stream: ${baseUrl.replace("http", "ws")}/ws   Health: ${baseUrl}/health/ready`,
      `  Try: curl${header} ${baseUrl}/api/v1/tasks/counts`,
      "  Stop: Ctrl+C",
      ""
    ].join("\n")
  )
})

const serve = Effect.gen(function* () {
  const { logFormat, logLevel, settings } = yield* environment
  const logger = logFormat === "json" ? RedactedLogger.json : RedactedLogger.pretty
  return yield* Program(settings).pipe(
    Layer.tap((context) => Effect.provide(greeting, context)),
    Layer.launch,
    Effect.ensuring(Effect.logInfo("Stopped")),
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
