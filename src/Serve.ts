import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Cause, ConfigError, Console, Effect, Layer, Logger, Option } from "effect"
import { environment, explain, shortKeys } from "./Config.ts"
import { ServerAddress } from "./http/Server.ts"
import { Auth } from "./identity/auth/Auth.ts"
import { environmentWith, readEnvironmentFile } from "./kernel/EnvironmentFile.ts"
import { nativeFault } from "./kernel/NativeBuild.ts"
import * as RedactedLogger from "./kernel/RedactedLogger.ts"
import { unknownVariables } from "./kernel/VariableNames.ts"
import { Program } from "./Program.ts"

/** Where the admin key of the environment stands, if there is one. */
type AdminKeyFrom = "environment" | "file" | undefined

/** A first request that works as it is printed, in a shell with the same variables and in the same directory. */
const attempt = (
  url: string,
  auth: Pick<typeof Auth.Service, "adminKeyFile" | "enabled">,
  adminKeyFrom: AdminKeyFrom
): string => {
  if (auth.adminKeyFile !== undefined) return `curl -H "X-API-Key: $(cat ${auth.adminKeyFile})" ${url}`
  if (!auth.enabled) return `curl ${url}`
  if (adminKeyFrom === "environment") return `curl -H "X-API-Key: $SERVICE_ADMIN_KEY" ${url}`
  return adminKeyFrom === "file"
    ? "npx muster list (it reads .env too)"
    : `curl -H "X-API-Key: <a key of SERVICE_API_KEYS>" ${url}`
}

/** What a newcomer needs to know once the board is up. */
const greeting = (adminKeyFrom: AdminKeyFrom) =>
  Effect.gen(function* () {
    const { baseUrl } = yield* ServerAddress
    const auth = yield* Auth
    const key =
      auth.adminKeyFile === undefined
        ? auth.enabled
          ? "Keys: those of SERVICE_ADMIN_KEY and SERVICE_API_KEYS"
          : "Authentication is off: everybody on this machine is admin"
        : `Admin key: ${auth.adminKeyFile} (the muster command finds it by itself)`
    const url = `${baseUrl}/api/v1/tasks/counts`
    yield* Console.log(
      [
        "",
        `Muster is up at ${baseUrl}`,
        `  ${key}`,
        `  Docs: ${baseUrl}/docs   Stream: ${baseUrl.replace("http", "ws")}/ws   Health: ${baseUrl}/health/ready`,
        `  Try: ${attempt(url, auth, adminKeyFrom)}`,
        "  Stop: Ctrl+C",
        ""
      ].join("\n")
    )
  })

const serve = Effect.gen(function* () {
  const file = yield* readEnvironmentFile(process.cwd())
  const { logFormat, logLevel, settings } = yield* Effect.withConfigProvider(
    environment,
    environmentWith(file)
  )
  const logger = logFormat === "json" ? RedactedLogger.json : RedactedLogger.pretty
  const unknown = unknownVariables([...Object.keys(process.env), ...file.keys()], settings.secrets.keys())
  const adminKeyFrom =
    settings.auth.adminKey === undefined
      ? undefined
      : process.env["SERVICE_ADMIN_KEY"] === undefined
        ? "file"
        : "environment"
  return yield* Effect.forEach([...unknown, ...shortKeys(settings.auth)], (line) =>
    Effect.logWarning(line)
  ).pipe(
    Effect.zipRight(
      Layer.launch(Layer.tap(Program(settings), (context) => Effect.provide(greeting(adminKeyFrom), context)))
    ),
    Effect.onInterrupt(() => Effect.logInfo("Stopped")),
    Logger.withMinimumLogLevel(logLevel),
    Effect.provide(logger)
  )
})

/** A start that fails tells the operator what to change, in one paragraph and without a stack. */
const refuse = (cause: Cause.Cause<object>) => {
  const native = nativeFault(Cause.squash(cause))
  if (native !== undefined) return Console.error(`muster: ${native}`)
  const failure = Option.getOrUndefined(Cause.failureOption(cause))
  return failure === undefined
    ? Effect.logFatal("The server failed", cause)
    : Console.error(`muster: ${told(failure)}`)
}

const told = (failure: object): string =>
  ConfigError.isConfigError(failure) ? explain(failure) : String(Reflect.get(failure, "message"))

NodeRuntime.runMain(
  Effect.tapErrorCause(serve, (cause) => (Cause.isInterruptedOnly(cause) ? Effect.void : refuse(cause))),
  { disableErrorReporting: true, disablePrettyLogger: true }
)
