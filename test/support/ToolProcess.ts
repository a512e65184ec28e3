import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process"
import { once } from "node:events"
import { tmpdir } from "node:os"
import { Client, type ClientOptions } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { Effect, type Scope } from "effect"
import { programs } from "./Programs.ts"
import { toolsOf } from "./Tools.ts"

export type Environment = Readonly<Record<string, string>>

/** The tools of the program, through the protocol's own client. */
export const connected = (environment: Environment, options: ClientOptions = {}) =>
  Effect.gen(function* () {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [programs.command, "mcp"],
      env: { ...environment },
      cwd: tmpdir(),
      stderr: "pipe"
    })
    const stderr: Array<string> = []
    transport.stderr?.on("data", (chunk: Buffer) => stderr.push(chunk.toString()))
    const client = new Client({ name: "test", version: "0.0.0" }, options)
    yield* Effect.acquireRelease(
      Effect.promise(() => client.connect(transport)),
      () => Effect.promise(() => client.close())
    )
    return { ...toolsOf(client), stderr: () => stderr.join("") }
  })

/** The bare program: lines in, lines out. */
export interface Bare {
  readonly child: ChildProcessWithoutNullStreams
  readonly stderr: () => string
  /** Every line of stdout so far. Each must be JSON. */
  readonly lines: () => ReadonlyArray<string>
  /** Waits for the answer to a request. */
  readonly answerTo: (id: number | string) => Effect.Effect<Record<string, unknown>>
  /** Waits for the end of the process, and gives its exit code and the signal that ended it. */
  readonly ended: Effect.Effect<ReadonlyArray<unknown>>
}

export const bare = (environment: Environment): Effect.Effect<Bare, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const child = spawn(process.execPath, [programs.command, "mcp"], {
        cwd: tmpdir(),
        env: { PATH: process.env["PATH"] ?? "", ...environment }
      })
      // The program may be gone when a test goes on writing to it.
      child.stdin.on("error", () => {})
      let stdout = ""
      let stderr = ""
      child.stdout.on("data", (chunk: Buffer) => {
        stdout += chunk.toString()
      })
      child.stderr.on("data", (chunk: Buffer) => {
        stderr += chunk.toString()
      })
      const lines = () => stdout.split("\n").slice(0, -1)
      const ended = once(child, "close")
      const answerTo = async (id: number | string): Promise<Record<string, unknown>> => {
        for (;;) {
          const answer = lines()
            .map((line) => JSON.parse(line))
            .find((message) => message.id === id)
          if (answer !== undefined) return answer
          await once(child.stdout, "data")
        }
      }
      return {
        child,
        lines,
        stderr: () => stderr,
        answerTo: (id) => Effect.promise(() => answerTo(id)),
        ended: Effect.promise(() => ended)
      }
    }),
    ({ child }) => Effect.sync(() => child.kill("SIGKILL"))
  )
