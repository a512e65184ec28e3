import { join } from "node:path"
import * as Command from "@effect/platform/Command"
import * as FileSystem from "@effect/platform/FileSystem"
import { Config, Effect, Option } from "effect"
import { type Connection, isLoopback, Surroundings } from "../../client/Connection.ts"
import { nativeFault } from "../../kernel/NativeBuild.ts"
import { unknownVariables } from "../../kernel/VariableNames.ts"
import { type Check, fail, ok, warn } from "./Check.ts"

/** The oldest Node that the product runs on; the server and the command check it before they load anything. */
const leastNode = { major: 20, minor: 12 }

/** Checks that this Node is new enough. */
export const judgeNode = (version: string): Check => {
  const [major = 0, minor = 0] = version.split(".").map(Number)
  return major > leastNode.major || (major === leastNode.major && minor >= leastNode.minor)
    ? ok("node", `Node ${version}`)
    : fail(
        "node",
        `Node ${version} is too old`,
        `Install Node ${leastNode.major}.${leastNode.minor} or newer`
      )
}

/** Checks that this Node can load SQLite. */
export const checkSqlite = Effect.tryPromise(() => import("../../offline/NativeSqlite.ts")).pipe(
  Effect.flatMap(({ openNothing }) => openNothing),
  Effect.match({
    onSuccess: () => ok("sqlite", "it can be loaded"),
    onFailure: (error) =>
      fail(
        "sqlite",
        nativeFault(error.cause) ?? "it can't be loaded",
        "npm rebuild better-sqlite3, in the directory of the package and with the Node of the server"
      )
  })
)

/** The finding on misspelled variables: one for all of them. */
export const judgeVariables = (names: Iterable<string>, listed: Iterable<string>): Check => {
  const unknown = unknownVariables(names, listed)
  return unknown.length === 0
    ? ok("variables", "all that begin with SERVICE_ are known")
    : warn("variables", unknown.join("; "), "muster --help and .env.example list those that are read")
}

const secretNames = Config.string("SERVICE_SECRETS").pipe(
  Config.withDefault(""),
  Config.map((value) => value.split(",").map((item) => item.replace(/@.*/, "").trim()))
)

/** Checks that every variable that looks like one of the product is one. */
export const checkVariables = Effect.gen(function* () {
  const { all } = yield* Surroundings
  return judgeVariables(all, yield* Effect.orElseSucceed(secretNames, () => []))
})

/** Checks that git is installed. The board works without it; worktrees don't. */
export const checkGit = Command.make("git", "--version").pipe(
  Command.string,
  Effect.map((version) => ok("git", version.trim())),
  Effect.filterOrFail(({ detail }) => detail.startsWith("git version")),
  Effect.orElseSucceed(() =>
    warn("git", "git is not installed", "Install git: worktrees and repositories need it")
  )
)

const elsewhere = (name: string): Check => ok(name, "not checked: the server is on another machine")

/** Checks that only its owner can read the file that the key was found in. */
export const checkKeyFile = (connection: Connection) =>
  Effect.gen(function* () {
    const { keySource } = connection
    if (keySource._tag !== "File") {
      const detail =
        keySource._tag === "Environment" ? `none is used: ${keySource.name} holds the key` : "there is none"
      return ok("key file", detail)
    }
    const files = yield* FileSystem.FileSystem
    const { mode } = yield* files.stat(keySource.file)
    const permissions = (mode & 0o777).toString(8).padStart(4, "0")
    return (mode & 0o077) === 0 || process.platform === "win32"
      ? ok("key file", `${keySource.file} is readable by its owner alone (${permissions})`)
      : fail(
          "key file",
          `${keySource.file} can be read by others (${permissions})`,
          `chmod 600 ${keySource.file}; and make a new key if others use this machine`
        )
  }).pipe(
    Effect.orElseSucceed(() =>
      warn("key file", "the permissions of the key file can't be read", "Check who owns it")
    )
  )

/** Checks that the data directory can be written. */
export const checkDataDirectory = (connection: Connection) =>
  Effect.gen(function* () {
    if (!isLoopback(connection.url)) return elsewhere("data directory")
    const files = yield* FileSystem.FileSystem
    const directory = connection.dataDirectory
    const found = yield* Effect.option(files.stat(directory))
    if (Option.isNone(found)) {
      return warn(
        "data directory",
        `${directory} does not exist`,
        "Set SERVICE_DATA_DIR to the directory of the server; the first start makes it"
      )
    }
    if (found.value.type !== "Directory") {
      return fail(
        "data directory",
        `${directory} is not a directory`,
        "Set SERVICE_DATA_DIR to a directory, or move what is in its way"
      )
    }
    const probe = join(directory, `.muster-doctor-${process.pid}`)
    return yield* files.writeFileString(probe, "").pipe(
      Effect.zipRight(files.remove(probe)),
      Effect.as(ok("data directory", `${directory} can be written`)),
      Effect.orElseSucceed(() =>
        fail(
          "data directory",
          `${directory} can't be written`,
          "Give it to the user who runs the server, check that the disk is not full or mounted read-only, or set SERVICE_DATA_DIR to another one"
        )
      )
    )
  })
