import { dirname, join, resolve } from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import { Config, ConfigError, Context, Effect, Either, Option, Redacted } from "effect"
import { staysHere } from "../kernel/Loopback.ts"
import { packageRoot } from "../kernel/PackageRoot.ts"
import { Misused } from "./Failure.ts"

/** Where the key of a request comes from. */
export type KeySource =
  | { readonly _tag: "Environment"; readonly name: "SERVICE_API_KEY" | "SERVICE_ADMIN_KEY" }
  | { readonly _tag: "File"; readonly file: string }
  | { readonly _tag: "None"; readonly looked: ReadonlyArray<string> }

/** Where the board is, and who asks. */
export interface Connection {
  /** The base address, without `/api` and without a slash at its end. */
  readonly url: string
  readonly key: Redacted.Redacted | undefined
  readonly keySource: KeySource
  /** The data directory of a server on this machine, as far as the environment and the place of the key tell. */
  readonly dataDirectory: string
}

/** Reads the base address: `/api` or `/api/v1` at its end is accepted and left out (spec README, ruling 14). */
export const parseBaseUrl = (text: string): Either.Either<string, string> => {
  let url: URL
  try {
    url = new URL(text)
  } catch {
    return Either.left("it is not a URL")
  }
  if (url.protocol !== "http:" && url.protocol !== "https:")
    return Either.left("it begins neither with http:// nor with https://")
  if (url.username !== "" || url.password !== "") return Either.left("it holds a user name or a password")
  if (url.search !== "" || url.hash !== "") return Either.left("it holds a query or a fragment")
  const path = url.pathname.replace(/\/+$/, "").replace(/\/api(\/v1)?$/, "")
  return Either.right(url.origin + path)
}

/** Is this address this machine's own? A key that was found in a file is sent nowhere else. */
export const isLoopback = (url: string): boolean => staysHere(new URL(url).hostname)

/** A placeholder that a program left unfilled, because it had no value for the variable. */
const placeholder = /^\$\{[^}]*\}$/

/** A variable that is set to nothing, or to a placeholder that nobody filled, counts as not set. */
const text = (name: string) =>
  Config.option(Config.string(name)).pipe(
    Config.map(Option.map((value) => value.trim())),
    Config.map(Option.filter((value) => value !== "" && !placeholder.test(value))),
    Config.map(Option.getOrUndefined)
  )

const variables = Config.all({
  url: text("SERVICE_API_URL"),
  servicePort: text("SERVICE_PORT"),
  port: text("PORT"),
  key: text("SERVICE_API_KEY"),
  adminKey: text("SERVICE_ADMIN_KEY"),
  directory: text("SERVICE_DATA_DIR")
})

/** Where the package is installed: a server that was started there keeps its data beside it. */
export class Installation extends Context.Reference<Installation>()("muster/Installation", {
  defaultValue: () => packageRoot
}) {}

/** The names of all variables, and of those that a `.env` of the working directory gives and the environment does not. */
export interface VariableNames {
  readonly all: ReadonlySet<string>
  readonly fromFile: ReadonlySet<string>
}

/** Where variables come from. Their values are read as configuration. */
export class Surroundings extends Context.Reference<Surroundings>()("muster/Surroundings", {
  defaultValue: (): VariableNames => ({ all: new Set(), fromFile: new Set() })
}) {}

/** The characters that a key in a header may have. */
const usableKey = /^[\x21-\x7e]+$/

/** Reads the environment, and finds the admin key that the first start of a server on this machine wrote. */
export const connection: Effect.Effect<Connection, Misused, FileSystem.FileSystem> = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  const installation = yield* Installation
  const { fromFile } = yield* Surroundings
  const read = yield* variables.pipe(Effect.mapError(unreadable))
  const address = read.url ?? `http://localhost:${read.servicePort ?? read.port ?? "3001"}`
  const url = yield* Either.mapLeft(
    parseBaseUrl(address),
    (reason) =>
      new Misused({
        reason: `The address of the server can't be used: ${reason}`,
        remedy: "Set SERVICE_API_URL to the base address of the server, e.g. http://localhost:3001"
      })
  )
  const dataDirectory = resolve(read.directory ?? "data")
  const given = givenKey(read, url)
  if (given !== undefined) {
    const { key, name } = given
    if (!usableKey.test(key)) {
      return yield* new Misused({
        reason: `The key in ${name} holds characters that a header can't carry`,
        remedy: "Copy the key again, without spaces and line breaks"
      })
    }
    // The `.env` of a directory that somebody else wrote must not choose where a key goes that it does not hold.
    if (fromFile.has("SERVICE_API_URL") && !fromFile.has(name) && !isLoopback(url)) {
      return yield* new Misused({
        reason: `.env says that the server is at ${url}, and ${name} comes from the environment`,
        remedy: "Set SERVICE_API_URL in the environment too, if that is where the key belongs"
      })
    }
    return { url, key: Redacted.make(key), keySource: { _tag: "Environment", name }, dataDirectory }
  }
  const looked = isLoopback(url)
    ? [...new Set([join(dataDirectory, "admin-key"), join(installation, "data", "admin-key")])]
    : []
  for (const file of looked) {
    const key = yield* files.readFileString(file).pipe(
      Effect.map((content) => content.trim()),
      Effect.orElseSucceed(() => "")
    )
    if (usableKey.test(key)) {
      return {
        url,
        key: Redacted.make(key),
        keySource: { _tag: "File", file },
        dataDirectory: dirname(file)
      }
    }
  }
  return { url, key: undefined, keySource: { _tag: "None", looked }, dataDirectory }
})

/**
 * The key that the environment gives. SERVICE_ADMIN_KEY is used only for a server on this machine, which shares this
 * environment.
 */
const givenKey = (
  read: { readonly key: string | undefined; readonly adminKey: string | undefined },
  url: string
) => {
  if (read.key !== undefined) return { name: "SERVICE_API_KEY", key: read.key } as const
  return read.adminKey !== undefined && isLoopback(url)
    ? ({ name: "SERVICE_ADMIN_KEY", key: read.adminKey } as const)
    : undefined
}

const unreadable = (error: ConfigError.ConfigError): Misused =>
  new Misused({
    reason: `The environment can't be read: ${ConfigError.isConfigError(error) ? String(error) : "unknown"}`,
    remedy: "muster --help lists the variables"
  })
