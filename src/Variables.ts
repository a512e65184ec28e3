import { Config, ConfigError, Either, LogLevel, Option } from "effect"
import { type ApiKey, parseApiKeys } from "./identity/auth/ApiKeys.ts"
import { placeOf } from "./kernel/outbound/Target.ts"
import { Role } from "./kernel/Permission.ts"
import { isUrl } from "./kernel/UrlSyntax.ts"

/*
 * What a variable of the environment may say, and the remedy when it says something else.
 */

const optional = <A>(config: Config.Config<A>) =>
  Config.option(config).pipe(Config.map(Option.getOrUndefined))

/** A variable that is set to nothing counts as not set: that is how shells and compose files leave them out. */
export const text = (name: string) =>
  optional(Config.string(name)).pipe(
    Config.map((value) => (value?.trim() === "" ? undefined : value?.trim()))
  )

export const refined = <A>(name: string, remedy: string, read: (value: string) => A | undefined) =>
  text(name).pipe(
    Config.mapOrFail((value) => {
      if (value === undefined) return Either.right(undefined)
      const result = read(value)
      return result === undefined
        ? Either.left(ConfigError.InvalidData([name], remedy))
        : Either.right(result)
    })
  )

export const flag = (name: string) =>
  refined(name, "must be true or false", (value) =>
    /^(true|1|yes|on)$/i.test(value) ? true : /^(false|0|no|off)$/i.test(value) ? false : undefined
  )

export const port = (name: string) =>
  refined(name, "must be a port from 0 to 65535; 0 takes a free one", (value) =>
    /^\d{1,5}$/.test(value) && Number(value) <= 65_535 ? Number(value) : undefined
  )

export const words = (name: string) =>
  text(name).pipe(
    Config.map((value) =>
      (value ?? "").split(",").flatMap((word) => (word.trim() === "" ? [] : [word.trim().toLowerCase()]))
    )
  )

export const origins = refined(
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

export const role = refined("SERVICE_AUTH_LOCALHOST_ROLE", "must be admin, agent or read-only", (value) =>
  Role.literals.find((known) => known === value)
)

export const apiKeys: Config.Config<ReadonlyArray<ApiKey>> = text("SERVICE_API_KEYS").pipe(
  Config.mapOrFail((value) =>
    Either.mapLeft(parseApiKeys(value ?? ""), (message) =>
      ConfigError.InvalidData(["SERVICE_API_KEYS"], message)
    )
  )
)

export const logLevel = refined(
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

export const topology = refined("SERVICE_SQLITE_TOPOLOGY", "must be single-host or multi-host", (value) =>
  value === "single-host" || value === "multi-host" ? value : undefined
)

export const hostId = refined(
  "SERVICE_SQLITE_HOST_ID",
  "must be a name that this machine keeps: 1 to 128 letters, digits, dots, colons, hyphens and underscores",
  (value) => (/^[A-Za-z0-9._:-]{1,128}$/.test(value) ? value : undefined)
)

/** An entry of SERVICE_SECRETS: a variable, and the place that it is bound to. */
export interface ListedSecret {
  readonly name: string
  readonly place: string | undefined
}

/** A host with its port, as URLs that lead there say it. */
const placeFrom = (text: string): string | undefined => {
  if (!/^[^\s/@?#\\]+$/.test(text) || !isUrl(`https://${text}`)) return undefined
  return placeOf(new URL(`https://${text}`))
}

const listedSecret = (word: string): ListedSecret | undefined => {
  const [name = "", ...places] = word.split("@")
  if (!/^[A-Z][A-Z0-9_]{0,127}$/.test(name) || places.length > 1) return undefined
  const [host] = places
  if (host === undefined) return { name, place: undefined }
  const place = placeFrom(host)
  return place === undefined ? undefined : { name, place }
}

export const secretNames = refined(
  "SERVICE_SECRETS",
  "must be names of variables separated by commas, each with the host that it is bound to or without one, e.g. GITHUB_TOKEN@api.github.com,HOOK_KEY; a name that is bound is not listed without a host too",
  (value) => {
    const all = value.split(",").flatMap((word) => (word.trim() === "" ? [] : [listedSecret(word.trim())]))
    const listed = all.flatMap((entry) => (entry === undefined ? [] : [entry]))
    const bound = new Set(listed.flatMap(({ name, place }) => (place === undefined ? [] : [name])))
    const contradicts = listed.some(({ name, place }) => place === undefined && bound.has(name))
    return listed.length < all.length || contradicts ? undefined : listed
  }
)

const whole = (name: string, of: string, least: number, most: number) =>
  refined(name, `must be a whole number of ${of} from ${least} to ${most}`, (value) =>
    /^\d{1,9}$/.test(value) && Number(value) >= least && Number(value) <= most ? Number(value) : undefined
  )

export const trashDays = whole("SERVICE_WORKTREE_TRASH_DAYS", "days", 0, 365)

export const heartbeatTimeout = whole("SERVICE_AGENT_HEARTBEAT_TIMEOUT_SECONDS", "seconds", 1, 86_400)

const longestKept = 3_650
const mostKept = 100_000_000

const keptDays = (name: string, least: number) => whole(name, "days", least, longestKept)
const keptRows = (name: string, least: number) => whole(name, "rows", least, mostKept)

/** How long old rows are kept. Events serve whoever comes back after a night, operations whoever asks within a week. */
export const keep = Config.all({
  events: Config.all({
    days: keptDays("SERVICE_KEEP_EVENTS_DAYS", 1),
    count: keptRows("SERVICE_KEEP_EVENTS_COUNT", 1_000)
  }),
  operations: Config.all({ days: keptDays("SERVICE_KEEP_OPERATIONS_DAYS", 7) }),
  telemetry: Config.all({
    days: keptDays("SERVICE_KEEP_TELEMETRY_DAYS", 0),
    count: keptRows("SERVICE_KEEP_TELEMETRY_COUNT", 0)
  }),
  traces: Config.all({
    days: keptDays("SERVICE_KEEP_TRACES_DAYS", 0),
    count: keptRows("SERVICE_KEEP_TRACES_COUNT", 0)
  }),
  deliveries: Config.all({
    days: keptDays("SERVICE_KEEP_DELIVERIES_DAYS", 0),
    count: keptRows("SERVICE_KEEP_DELIVERIES_COUNT", 0)
  }),
  receipts: Config.all({
    days: keptDays("SERVICE_KEEP_RECEIPTS_DAYS", 0),
    count: keptRows("SERVICE_KEEP_RECEIPTS_COUNT", 0)
  }),
  runs: Config.all({
    days: keptDays("SERVICE_KEEP_RUNS_DAYS", 1),
    count: keptRows("SERVICE_KEEP_RUNS_COUNT", 1_000)
  }),
  outputs: Config.all({
    days: keptDays("SERVICE_KEEP_OUTPUTS_DAYS", 1),
    count: keptRows("SERVICE_KEEP_OUTPUTS_COUNT", 0)
  }),
  approvals: Config.all({
    days: keptDays("SERVICE_KEEP_APPROVALS_DAYS", 0),
    count: keptRows("SERVICE_KEEP_APPROVALS_COUNT", 0)
  }),
  admission: Config.all({
    days: keptDays("SERVICE_KEEP_ADMISSION_DAYS", 0),
    count: keptRows("SERVICE_KEEP_ADMISSION_COUNT", 0)
  })
})

/** A command as it is typed, split at blanks; it never meets a shell. */
export const editor = refined(
  "SERVICE_EDITOR_COMMAND",
  "must be a command and its arguments separated by blanks, e.g. code --reuse-window",
  (value) => {
    const [file, ...args] = value.split(/\s+/)
    return file === undefined || file.startsWith("-") ? undefined : ([file, ...args] as const)
  }
)
