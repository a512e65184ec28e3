import { join } from "node:path"
import * as Command from "@effect/platform/Command"
import * as FileSystem from "@effect/platform/FileSystem"
import { Effect, Option } from "effect"
import { type Connection, isLoopback } from "../Connection.ts"
import { type Check, fail, ok, warn } from "./Check.ts"

/** The oldest Node that the product runs on. */
const leastNode = 20

/** Is this Node new enough? */
export const judgeNode = (version: string): Check =>
  Number.parseInt(version, 10) >= leastNode
    ? ok("node", `Node ${version}`)
    : fail("node", `Node ${version} is too old`, `Install Node ${leastNode} or newer`)

/** Is git there? The board itself does without; worktrees don't. */
export const checkGit = Command.make("git", "--version").pipe(
  Command.string,
  Effect.map((version) => ok("git", version.trim())),
  Effect.filterOrFail(({ detail }) => detail.startsWith("git version")),
  Effect.orElseSucceed(() =>
    warn("git", "git is not there", "Install git: worktrees and repositories need it")
  )
)

const elsewhere = (name: string): Check => ok(name, "not checked: the server is on another machine")

/** Can nobody else read the key that was found in a file? */
export const checkKeyFile = (connection: Connection) =>
  Effect.gen(function* () {
    const { keySource } = connection
    if (keySource._tag !== "File") {
      const detail =
        keySource._tag === "Environment" ? "none is used: SERVICE_API_KEY holds the key" : "there is none"
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

/** Can the data directory be written? */
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
    const probe = join(directory, `.muster-doctor-${process.pid}`)
    return yield* files.writeFileString(probe, "").pipe(
      Effect.zipRight(files.remove(probe)),
      Effect.as(ok("data directory", `${directory} can be written`)),
      Effect.orElseSucceed(() =>
        fail(
          "data directory",
          `${directory} can't be written`,
          "Give it to the user who runs the server, and check that the disk is not full or mounted read-only"
        )
      )
    )
  })
