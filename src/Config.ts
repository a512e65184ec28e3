import { isIP } from "node:net"
import { Config, ConfigError, Effect, LogLevel, Redacted } from "effect"
import { checkUrl } from "./kernel/outbound/Target.ts"
import { packageRoot } from "./kernel/PackageRoot.ts"
import { relaySecrets, type SecretPlaces } from "./kernel/Secrets.ts"
import { isUrl } from "./kernel/UrlSyntax.ts"
import type { Settings } from "./Program.ts"
import {
  apiKeys,
  editor,
  flag,
  heartbeatTimeout,
  hostId,
  keep,
  type ListedSecret,
  logLevel,
  origins,
  port,
  refined,
  role,
  secretNames,
  text,
  topology,
  trashDays,
  words
} from "./Variables.ts"

/** Everything that the environment says, checked. `.env.example` describes each variable. */
export interface Environment {
  readonly settings: Settings
  readonly logLevel: LogLevel.LogLevel
  readonly logFormat: "pretty" | "json"
}

const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."))

/** The secrets that settings may refer to. One that is listed and not set is a mistake that is better told at once. */
const secretsOf = (listed: ReadonlyArray<string>) =>
  Effect.forEach([...new Set([...relaySecrets, ...listed])], (name) =>
    Effect.flatMap(text(name), (value) =>
      value === undefined && listed.includes(name)
        ? Effect.fail(ConfigError.MissingData(["SERVICE_SECRETS"], `lists ${name}, which is not set`))
        : Effect.succeed(value === undefined ? [] : [[name, Redacted.make(value)] as const])
    )
  ).pipe(Effect.map((found): ReadonlyMap<string, Redacted.Redacted> => new Map(found.flat())))

/** The places of the secrets that are bound to any; one name may have several. */
const placesOf = (listed: ReadonlyArray<ListedSecret>): SecretPlaces => {
  const places = new Map<string, ReadonlyArray<string>>()
  for (const { name, place } of listed) {
    if (place !== undefined) places.set(name, [...(places.get(name) ?? []), place])
  }
  return places
}

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
    /^https?:\/\/[^\s]+$/.test(value) && isUrl(value) ? value : undefined
  ),
  embeddingsModel: text("SERVICE_SEARCH_EMBEDDINGS_MODEL"),
  embeddingsKey: text("SERVICE_SEARCH_EMBEDDINGS_KEY"),
  worktreesDirectory: text("SERVICE_WORKTREES_DIR"),
  editor,
  trashDays,
  heartbeatTimeout,
  keep,
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
  const secretPlaces = placesOf(read.secretNames ?? [])
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
    ...(secretPlaces.size === 0 ? {} : { secretPlaces }),
    worktrees: {
      directory: read.worktreesDirectory,
      editor: read.editor,
      trashDays: read.trashDays ?? 7
    },
    ...(read.heartbeatTimeout === undefined ? {} : { heartbeatTimeoutSeconds: read.heartbeatTimeout }),
    keep: read.keep,
    search: {
      backend: read.searchBackend ?? "keyword",
      docs: read.docs,
      manual: packageRoot,
      embeddings: embeddingsOf(read)
    }
  }
}

/** Reads the environment. What is wrong stops the start, with the variable's name and the remedy. */
export const environment: Effect.Effect<Environment, ConfigError.ConfigError> = Effect.gen(function* () {
  const read = yield* variables
  const settings = settingsOf(read, yield* secretsOf((read.secretNames ?? []).map(({ name }) => name)))
  if (!settings.auth.enabled && !isLoopback(settings.host)) {
    return yield* Effect.fail(
      ConfigError.InvalidData(
        ["SERVICE_AUTH_ENABLED"],
        `must stay true while SERVICE_HOST is ${settings.host}: without authentication the server listens on loopback only`
      )
    )
  }
  if (read.embeddingsUrl !== undefined) {
    yield* Effect.mapError(checkUrl(read.embeddingsUrl, settings.outbound), ({ message }) =>
      ConfigError.InvalidData(["SERVICE_SEARCH_EMBEDDINGS_URL"], message)
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
