import { type ChildProcess, spawn } from "node:child_process"
import { resolve } from "node:path"
import { Data, Duration, Effect, type Scope } from "effect"
import { programs } from "./Programs.ts"
import { keys } from "./World.ts"

const root = resolve(import.meta.dirname, "..", "..")

/** How a process ended, and all that it had said. */
export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly output: string
}

/** The server as a process of its own, as an operator starts it. */
export interface ServerProcess {
  readonly pid: number
  readonly port: number
  readonly baseUrl: string
  /** From the start of the process to its greeting, in milliseconds. */
  readonly startMs: number
  readonly output: () => string
  /** Sends a signal and waits for the end; gives how long that took, in milliseconds. */
  readonly end: (signal: NodeJS.Signals) => Effect.Effect<Ended & { readonly tookMs: number }>
}

/** The process ended where a running server was expected. */
export class NotStarted extends Data.TaggedError("NotStarted")<Ended> {
  override get message() {
    return `The server ended with ${this.code ?? this.signal}: ${this.output}`
  }
}

export type Variables = Readonly<Record<string, string>>

/** How a server is spawned. */
interface Spawning {
  /** The directory that it works in; the repository otherwise. */
  readonly cwd?: string
  /** The user that it runs as; whoever runs the tests otherwise. */
  readonly uid?: number
}

/** Spawns the built server with these variables and nothing else of this process's environment. */
const spawnServer = (variables: Variables, { cwd = root, ...spawning }: Spawning = {}) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const child = spawn(process.execPath, [programs.server], {
        cwd,
        env: { PATH: process.env["PATH"], SERVICE_PORT: "0", ...variables },
        stdio: ["ignore", "pipe", "pipe"],
        ...spawning
      })
      let output = ""
      const hear = (chunk: Buffer) => {
        output += chunk.toString()
      }
      child.stdout.on("data", hear)
      child.stderr.on("data", hear)
      return { child, output: () => output }
    }),
    ({ child }) =>
      Effect.zipRight(
        Effect.sync(() => child.kill("SIGKILL")),
        ended(child)
      )
  )

/** Waits for the end of a process and of its output. */
const ended = (child: ChildProcess): Effect.Effect<void> =>
  Effect.async<void>((resume) => {
    const done = () => resume(Effect.void)
    if (child.exitCode === null && child.signalCode === null) child.once("close", done)
    else done()
    return Effect.sync(() => child.off("close", done))
  })

/** Runs the server to its end: for starts that must be refused. */
export const run = (variables: Variables, spawning?: Spawning): Effect.Effect<Ended> =>
  Effect.scoped(
    Effect.gen(function* () {
      const { child, output } = yield* spawnServer(variables, spawning)
      yield* Effect.timeoutOption(ended(child), "15 seconds")
      return { code: child.exitCode, signal: child.signalCode, output: output() }
    })
  )

/** The keys of a test world, as the environment gives them. */
export const testKeys: Variables = {
  SERVICE_ADMIN_KEY: keys.admin,
  SERVICE_API_KEYS: `codex:${keys.agent}:agent,reader:${keys["read-only"]}:read-only`
}

/** Starts the server with these variables alone, in a directory of its own, and waits for its greeting. */
export const startWith = (
  variables: Variables,
  spawning?: Spawning
): Effect.Effect<ServerProcess, NotStarted, Scope.Scope> =>
  Effect.flatMap(spawnServer(variables, spawning), greeted)

/** Starts the server on a directory and waits for its greeting; it is killed when the scope closes. */
export const start = (
  directory: string,
  variables: Variables = {},
  spawning?: Spawning
): Effect.Effect<ServerProcess, NotStarted, Scope.Scope> =>
  startWith({ ...testKeys, SERVICE_DATA_DIR: directory, ...variables }, spawning)

/** Waits for the greeting of a process, and gives what can be done with it. */
const greeted = ({
  child,
  output
}: {
  readonly child: ChildProcess
  readonly output: () => string
}): Effect.Effect<ServerProcess, NotStarted> =>
  Effect.gen(function* () {
    const [took, port] = yield* Effect.timed(
      Effect.async<number, NotStarted>((resume) => {
        const look = () => {
          const port = /Muster is up at http:\/\/[^\s:]+:(\d+)/.exec(output())?.[1]
          if (port !== undefined) resume(Effect.succeed(Number(port)))
        }
        child.stdout?.on("data", look)
        child.once("close", (code, signal) =>
          resume(Effect.fail(new NotStarted({ code, signal, output: output() })))
        )
      })
    )
    return {
      pid: child.pid ?? 0,
      port,
      baseUrl: `http://127.0.0.1:${port}`,
      startMs: Duration.toMillis(took),
      output,
      end: (signal) =>
        Effect.gen(function* () {
          const [tookToEnd] = yield* Effect.timed(
            Effect.zipRight(
              Effect.sync(() => child.kill(signal)),
              ended(child)
            )
          )
          return {
            code: child.exitCode,
            signal: child.signalCode,
            output: output(),
            tookMs: Duration.toMillis(tookToEnd)
          }
        })
    }
  })
