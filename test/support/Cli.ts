import { FetchHttpClient } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { ConfigProvider, Effect, Layer } from "effect"
import { run } from "../../src/cli/Cli.ts"
import { Output } from "../../src/cli/Output.ts"
import { Installation } from "../../src/client/Connection.ts"
import { type As, keys, World } from "./World.ts"

/** What a command left behind. */
export interface Ran {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
  /** What stands on stdout, as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly json: () => any
}

/** Runs the command in this process, with streams and an environment of its own. */
export const cliWith = (
  environment: Readonly<Record<string, string>>,
  ...args: ReadonlyArray<string>
): Effect.Effect<Ran> =>
  Effect.gen(function* () {
    const stdout: Array<string> = []
    const stderr: Array<string> = []
    const output = Layer.succeed(Output, {
      say: (line) => Effect.sync(() => stdout.push(line)),
      warn: (line) => Effect.sync(() => stderr.push(line)),
      progress: () => Effect.void,
      colours: false,
      width: undefined
    })
    const exitCode = yield* run(["node", "muster", ...args], "0.0.0").pipe(
      Effect.provide(Layer.mergeAll(NodeContext.layer, FetchHttpClient.layer, output)),
      Effect.provideService(Installation, "/nowhere"),
      Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(environment)))),
      Effect.orDie
    )
    const text = stdout.join("\n")
    return { exitCode, stdout: text, stderr: stderr.join("\n"), json: () => JSON.parse(text) }
  })

/** Runs the command against the world of a test; as the agent unless it says otherwise. */
export const cliAs = (as: As, ...args: ReadonlyArray<string>) =>
  Effect.flatMap(World, ({ baseUrl, directory }) =>
    cliWith({ SERVICE_API_URL: baseUrl, SERVICE_API_KEY: keys[as], SERVICE_DATA_DIR: directory }, ...args)
  )

export const cli = (...args: ReadonlyArray<string>) => cliAs("agent", ...args)
