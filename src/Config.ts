import { isIP } from "node:net"
import { fileURLToPath } from "node:url"
import { Config, ConfigError, Effect, Either, LogLevel, Option, Redacted } from "effect"
import { type ApiKey, parseApiKeys } from "./identity/auth/ApiKeys.ts"
import { Role } from "./kernel/Permission.ts"
import type { Settings } from "./Program.ts"

/** Everything that the environment says, checked. `.env.example` describes each variable. */
export interface Environment {
  readonly settings: Settings
  readonly logLevel: LogLevel.LogLevel
  readonly logFormat: "pretty" | "json"
}

const optional = <A>(config: Config.Config<A>) =>
  Config.option(config).pipe(Config.map(Option.getOrUndefined))

/** A variable that is set to nothing counts as not set: that is how shells and compose files leave them out. */
const text = (name: string) =>
  optional(Config.string(name)).pipe(
    Config.map((value) => (value?.trim() === "" ? undefined : value?.trim()))
  )

const refined = <A>(name: string, remedy: string, read: (value: string) => A | undefined) =>
  text(name).pipe(
    Config.mapOrFail((value) => {
      if (value === undefined) return Either.right(undefined)
      const result = read(value)
      return result === undefined
        ? Either.left(ConfigError.InvalidData([name], remedy))
        : Either.right(result)
    })
  )

const flag = (name: string) =>
  refined(name, "must be true or false", (value) =>
    /^(true|1|yes|on)$/i.test(value) ? true : /^(false|0|no|off)$/i.test(value) ? false : undefined
  )

const port = (name: string) =>
  refined(name, "must be a port from 0 to 65535; 0 takes a free one", (value) =>
    /^\d{1,5}$/.test(value) && Number(value) <= 65_535 ? Number(value) : undefined
  )

const words = (name: string) =>
  text(name).pipe(
    Config.map((value) =>
      (value ?? "").split(",").flatMap((word) => (word.trim() === "" ? [] : [word.trim().toLowerCase()]))
    )
  )

const origins = refined(
  "SERVICE_ALLOWED_ORIGINS",
  "must be origins separated by commas, e.g. https://board.example.com; a path, * and null are not origins",
  (value) => {
    const all = value
      .split(",")
      .map((word) => word.trim().toLowerCase())
      .filter((word) => word !== "")
    return all.every((word) => /^https?:\/\/[^/\s*]+$/.test(word)) ? all : undefined
  }
)

const role = refined("SERVICE_AUTH_LOCALHOST_ROLE", "must be admin, agent or read-only", (value) =>
  Role.literals.find((known) => known === value)
)

const apiKeys: Config.Config<ReadonlyArray<ApiKey>> = text("SERVICE_API_KEYS").pipe(
  Config.mapOrFail((value) =>
    Either.mapLeft(parseApiKeys(value ?? ""), (message) =>
      ConfigError.InvalidData(["SERVICE_API_KEYS"], message)
    )
  )
)

const logLevel = refined(
  "SERVICE_LOG_LEVEL",
  "must be trace, debug, info, warning, error or none",
  (value) => levels[value.toLowerCase()]
)

const levels: Readonly<Record<string, LogLevel.LogLevel>> = {
  trace: LogLevel.Trace,
  debug: LogLevel.Debug,
  info: LogLevel.Info,
  warning: LogLevel.Warning,
  error: LogLevel.Error,
  none: LogLevel.None
}

const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."))

const topology = refined("SERVICE_SQLITE_TOPOLOGY", "must be single-host or multi-host", (value) =>
  value === "single-host" || value === "multi-host" ? value : undefined
)

const hostId = refined(
  "SERVICE_SQLITE_HOST_ID",
  "must be a name that this machine keeps: 1 to 128 letters, digits, dots, colons, hyphens and underscores",
  (value) => (/^[A-Za-z0-9._:-]{1,128}$/.test(value) ? value : undefined)
)

const secretNames = refined(
  "SERVICE_SECRETS",
  "must be names of variables separated by commas, e.g. GITHUB_TOKEN,HOOK_KEY",
  (value) => {
    const names = value.split(",").flatMap((word) => (word.trim() === "" ? [] : [word.trim()]))
    return names.every((name) => /^[A-Z][A-Z0-9_]{0,127}$/.test(name)) ? names : undefined
  }
)

/** The secrets that settings may refer to. One that is listed and not set is a mistake that is better told at once. */
const secretsOf = (names: ReadonlyArray<string>) =>
  Effect.map(
    Effect.forEach(names, (name) =>
      Config.nonEmptyString(name).pipe(
        Effect.mapBoth({
          onFailure: () => ConfigError.MissingData(["SERVICE_SECRETS"], `lists ${name}, which is not set`),
          onSuccess: (value) => [name, Redacted.make(value)] as const
        })
      )
    ),
    (found): ReadonlyMap<string, Redacted.Redacted> => new Map(found)
  )

const trashDays = refined(
  "SERVICE_WORKTREE_TRASH_DAYS",
  "must be a whole number of days from 0 to 365",
  (value) => (/^\d{1,3}$/.test(value) && Number(value) <= 365 ? Number(value) : undefined)
)

/** A command as it is typed, split at blanks; it never meets a shell. */
const editor = refined(
  "SERVICE_EDITOR_COMMAND",
  "must be a command and its arguments separated by blanks, e.g. code --reuse-window",
  (value) => {
    const [file, ...args] = value.split(/\s+/)
    return file === undefined || file.startsWith("-") ? undefined : ([file, ...args] as const)
  }
)

const variables = Config.all({
  directory: text("SERVICE_DATA_DIR"),
  databaseFile: text("SERVICE_SQLITE_PATH"),
  topology,
  hostId,
  servicePort: port("SERVICE_PORT"),
  port: port("PORT"),
  host: text("SERVICE_HOST"),
  allowedHosts: words("SERVICE_ALLOWED_HOSTS"),
  allowedOrigins: origins,
  authEnabled: flag("SERVICE_AUTH_ENABLED"),
  adminKey: text("SERVICE_ADMIN_KEY"),
  apiKeys,
  signingSecret: refined("SERVICE_JWT_SECRET", "must have at least 32 characters", (value) =>
    value.length >= 32 ? Redacted.make(value) : undefined
  ),
  bypass: flag("SERVICE_AUTH_LOCALHOST_BYPASS"),
  bypassRole: role,
  outboundLoopback: flag("SERVICE_OUTBOUND_ALLOW_LOOPBACK"),
  outboundPrivate: flag("SERVICE_OUTBOUND_ALLOW_PRIVATE_NETWORK"),
  secretNames,
  searchBackend: refined("SERVICE_SEARCH_BACKEND", "must be keyword or semantic", (value) =>
    value === "keyword" || value === "semantic" ? value : undefined
  ),
  docs: text("SERVICE_DOCS_DIR"),
  embeddingsUrl: refined("SERVICE_SEARCH_EMBEDDINGS_URL", "must be an http or https URL", (value) =>
    /^https?:\/\/[^\s]+$/.test(value) && URL.canParse(value) ? value : undefined
  ),
  embeddingsModel: text("SERVICE_SEARCH_EMBEDDINGS_MODEL"),
  embeddingsKey: text("SERVICE_SEARCH_EMBEDDINGS_KEY"),
  worktreesDirectory: text("SERVICE_WORKTREES_DIR"),
  editor,
  trashDays,
  serviceEnv: text("SERVICE_ENV"),
  nodeEnv: text("NODE_ENV"),
  logLevel,
  logFormat: refined("SERVICE_LOG_FORMAT", "must be pretty or json", (value) =>
    value === "pretty" || value === "json" ? value : undefined
  )
})

type Variables = Config.Config.Success<typeof variables>

const isProduction = ({ nodeEnv, serviceEnv }: Variables): boolean => (serviceEnv ?? nodeEnv) === "production"

/** The endpoint that embeds texts, when there is one. */
const embeddingsOf = ({ embeddingsKey, embeddingsModel, embeddingsUrl }: Variables) =>
  embeddingsUrl === undefined
    ? undefined
    : {
        url: embeddingsUrl,
        model: embeddingsModel ?? "text-embedding-3-small",
        key: embeddingsKey === undefined ? undefined : Redacted.make(embeddingsKey)
      }

const settingsOf = (read: Variables, secrets: Settings["secrets"]): Settings => {
  const production = isProduction(read)
  return {
    directory: read.directory ?? "./data",
    ...(read.databaseFile === undefined ? {} : { databaseFile: read.databaseFile }),
    ...(read.topology === undefined && read.hostId === undefined
      ? {}
      : {
          sqlite: {
            ...(read.topology === undefined ? {} : { topology: read.topology }),
            ...(read.hostId === undefined ? {} : { hostId: read.hostId })
          }
        }),
    host: read.host ?? "127.0.0.1",
    port: read.servicePort ?? read.port ?? 3001,
    access: { allowedHosts: read.allowedHosts, allowedOrigins: read.allowedOrigins ?? [] },
    auth: {
      enabled: read.authEnabled ?? true,
      adminKey: read.adminKey === undefined ? undefined : Redacted.make(read.adminKey),
      apiKeys: read.apiKeys,
      localhostBypass: !production && read.bypass === true,
      localhostRole: read.bypassRole ?? "read-only",
      signingSecret: read.signingSecret
    },
    outbound: {
      loopback: read.outboundLoopback ?? !production,
      privateNetwork: read.outboundPrivate ?? false
    },
    secrets,
    worktrees: {
      directory: read.worktreesDirectory,
      editor: read.editor,
      trashDays: read.trashDays ?? 7
    },
    search: {
      backend: read.searchBackend ?? "keyword",
      docs: read.docs,
      manual: fileURLToPath(new URL("../README.md", import.meta.url)),
      embeddings: embeddingsOf(read)
    }
  }
}

/** Reads the environment. What is wrong stops the start, with the variable's name and the remedy. */
export const environment: Effect.Effect<Environment, ConfigError.ConfigError> = Effect.gen(function* () {
  const read = yield* variables
  const settings = settingsOf(read, yield* secretsOf(read.secretNames ?? []))
  if (!settings.auth.enabled && !isLoopback(settings.host)) {
    return yield* Effect.fail(
      ConfigError.InvalidData(
        ["SERVICE_AUTH_ENABLED"],
        `must stay true while SERVICE_HOST is ${settings.host}: without authentication the server listens on loopback only`
      )
    )
  }
  if (isProduction(read) && read.bypass === true) {
    yield* Effect.logWarning("SERVICE_AUTH_LOCALHOST_BYPASS is ignored in production")
  }
  return {
    settings,
    logLevel: read.logLevel ?? LogLevel.Info,
    logFormat: read.logFormat ?? (isProduction(read) ? "json" : "pretty")
  }
})

/** What is wrong with the environment, a line for each variable. */
export const explain = (error: ConfigError.ConfigError): string => {
  switch (error._op) {
    case "And":
    case "Or":
      return `${explain(error.left)}\n${explain(error.right)}`
    default:
      return `${error.path.join(".")} ${error.message}`
  }
}
