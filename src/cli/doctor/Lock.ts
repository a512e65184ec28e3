import { hostname } from "node:os"
import { join } from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import { Effect, Schema } from "effect"
import { type Connection, isLoopback } from "../../client/Connection.ts"
import { iso } from "../../kernel/Time.ts"
import { type Check, fail, ok, warn } from "./Check.ts"

/** The content of `muster.lock.json`, which a server writes beside the lock of its data directory. */
const Holder = Schema.parseJson(
  Schema.Struct({ pid: Schema.Int, host: Schema.String, startedAt: Schema.Number })
)
type Holder = typeof Holder.Type

/** Whether a process is alive. One of another user, which may not be signalled, is. */
export const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM"
  }
}

/** How much earlier than the start of its process a lock may be dated, in milliseconds: start times are coarse. */
const startSlack = 5_000

/**
 * Whether a process, given its `/proc/<pid>/stat`, can have written a lock at this time. A zombie can't, nor one that
 * started later: process ids are reused.
 */
export const canHold = (stat: string, bootedAt: number, lockedAt: number): boolean => {
  const [state, ...fields] = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  const startedAt = bootedAt + Number(fields[18]) * 10
  return state !== "Z" && state !== "X" && !(startedAt > lockedAt + startSlack)
}

/** Whether the process that wrote a lock is alive. */
const lives = ({ pid, startedAt }: Holder) =>
  Effect.gen(function* () {
    if (!isAlive(pid)) return false
    const files = yield* FileSystem.FileSystem
    const stat = yield* files.readFileString(`/proc/${pid}/stat`)
    const booted = /^btime (\d+)$/m.exec(yield* files.readFileString("/proc/stat"))?.[1]
    return canHold(stat, Number(booted) * 1_000, startedAt)
  }).pipe(Effect.orElseSucceed(() => isAlive(pid)))

/** The inodes of the sockets that listen on a port, from a table like `/proc/net/tcp`. */
export const listeningSockets = (table: string, port: number): ReadonlyArray<string> => {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, "0")}`
  return table
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => local?.endsWith(suffix) === true && state === "0A")
    .flatMap(([, , , , , , , , , inode]) => (inode === undefined ? [] : [inode]))
}

/** Whether a process listens on a port; undefined where the system does not say. */
const listensOn = (pid: number, port: number) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const tables = yield* Effect.forEach(["tcp", "tcp6"], (name) =>
      Effect.orElseSucceed(files.readFileString(`/proc/net/${name}`), () => "")
    )
    const sockets = new Set(tables.flatMap((table) => listeningSockets(table, port)))
    if (sockets.size === 0) return undefined
    const directory = `/proc/${pid}/fd`
    const links = yield* Effect.forEach(yield* files.readDirectory(directory), (name) =>
      Effect.orElseSucceed(files.readLink(join(directory, name)), () => "")
    )
    return links.some((link) => sockets.has(/^socket:\[(\d+)\]$/.exec(link)?.[1] ?? ""))
  }).pipe(Effect.orElseSucceed(() => undefined))

const portOf = (url: string): number => {
  const { port, protocol } = new URL(url)
  return port === "" ? (protocol === "https:" ? 443 : 80) : Number(port)
}

/** The finding from three facts: the lock, the process that it names, and whether a server answers. */
export const judgeLock = (found: {
  readonly directory: string
  readonly url: string
  readonly holder: Holder | undefined
  readonly here: string
  readonly alive: boolean
  readonly answers: boolean
  readonly listens: boolean | undefined
}): Check => {
  const { alive, answers, directory, here, holder, listens, url } = found
  const name = "one server"
  if (holder === undefined) {
    return answers
      ? warn(
          name,
          `no server uses ${directory}, but one answers at ${url}`,
          "Its data is elsewhere: set SERVICE_DATA_DIR to its directory"
        )
      : ok(name, `no server uses ${directory}`)
  }
  const who = `process ${holder.pid}, running since ${iso(holder.startedAt)}`
  if (holder.host !== here) {
    return warn(
      name,
      `${directory} is in use by ${who}, on ${holder.host}`,
      "Run the doctor there to check it"
    )
  }
  if (!alive) {
    return answers
      ? warn(
          name,
          `the last server on ${directory}, process ${holder.pid}, has ended, but one answers at ${url}`,
          "Its data is elsewhere: set SERVICE_DATA_DIR to its directory"
        )
      : ok(name, `the last server on ${directory}, process ${holder.pid}, has ended`)
  }
  if (!answers) {
    return fail(
      name,
      `${directory} is in use by ${who}, which does not answer at ${url}`,
      "Set SERVICE_API_URL to its address, or stop it"
    )
  }
  if (listens === false) {
    return fail(
      name,
      `two servers run: ${who}, has ${directory}, and another process answers at ${url}`,
      "Stop the one that you don't want, or set SERVICE_API_URL and SERVICE_DATA_DIR to the same server"
    )
  }
  return listens === true
    ? ok(name, `${who}, has ${directory} and answers at ${url}`)
    : warn(
        name,
        `${who}, has ${directory}; this system does not show whether it is the one that answers at ${url}`,
        "Compare it with the process that listens on the port"
      )
}

/** Checks that the server that answers is the one that has the data directory, and the only one. */
export const checkLock = (connection: Connection, answers: boolean) =>
  Effect.gen(function* () {
    const { dataDirectory: directory, url } = connection
    if (!isLoopback(url)) return ok("one server", "not checked: the server is on another machine")
    const files = yield* FileSystem.FileSystem
    const holder = yield* files.readFileString(join(directory, "muster.lock.json")).pipe(
      Effect.flatMap(Schema.decode(Holder)),
      Effect.orElseSucceed(() => undefined)
    )
    const here = hostname()
    const alive = holder !== undefined && holder.host === here && (yield* lives(holder))
    const listens = alive && answers ? yield* listensOn(holder.pid, portOf(url)) : undefined
    return judgeLock({ directory, url, holder, here, alive, answers, listens })
  })
