import { dirname } from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import { Context, Data, type Duration, Effect, Layer } from "effect"
import { type Finished, type ProcessStopped, run } from "../process/Run.ts"
import { redactText } from "../Redaction.ts"
import { type Entry, overrides, parseEntries } from "./Configuration.ts"
import { gitEnvironment } from "./Environment.ts"

/** Where git works: a directory, or a Git directory with the work tree that belongs to it. */
export interface Place {
  readonly directory: string
  readonly gitDir?: string
  readonly workTree?: string
}

/** One call of git: a subcommand that is built into it, and its arguments. */
export interface GitCall {
  readonly at: Place
  readonly args: readonly [string, ...ReadonlyArray<string>]
  readonly input?: string
  /** Another index than the work tree's own. */
  readonly index?: string
  /** True for calls that only look: they take no lock that somebody else could wait for. */
  readonly reads?: boolean
  readonly timeout?: Duration.DurationInput
}

/** Git said no, or could not be run. `reason` is its own first words, without secrets. */
export class GitFailed extends Data.TaggedError("GitFailed")<{
  readonly command: string
  readonly exitCode?: number
  readonly reason: string
}> {
  override get message() {
    return `git ${this.command}: ${this.reason}`
  }
}

const outputLimit = 32 * 1_048_576

/** The words of git that tell most, bounded and without secrets. */
export const reasonOf = (stderr: string): string =>
  redactText(
    stderr
      .split("\n")
      .filter((line) => line.trim() !== "")
      .slice(0, 6)
      .join("; ")
      .slice(0, 600)
  )

/** Git, as a program that works on repositories of strangers. */
export class Git extends Context.Tag("muster/Git")<
  Git,
  {
    /** Runs git, and gives whatever it answered. */
    readonly run: (call: GitCall) => Effect.Effect<Finished, GitFailed>
    /** Runs git, which must succeed, and gives its output. */
    readonly text: (call: GitCall) => Effect.Effect<string, GitFailed>
    /** What the repository has configured. Reading it runs nothing. */
    readonly entries: (at: Place) => Effect.Effect<ReadonlyArray<Entry>, GitFailed>
  }
>() {
  /** `home` becomes the home directory of every git: an empty directory that belongs to the service. */
  static readonly layer = (home: string) =>
    Layer.effect(
      Git,
      Effect.gen(function* () {
        const files = yield* FileSystem.FileSystem
        yield* files.makeDirectory(home, { recursive: true, mode: 0o700 })
        const environment = gitEnvironment(process.env, home)

        const execute = (call: GitCall, settings: Readonly<Record<string, string>>) =>
          run({
            file: "git",
            args: call.args,
            cwd: call.at.directory,
            env: {
              ...environment,
              ...settings,
              // A directory that is no repository must not become one by what lies above it.
              GIT_CEILING_DIRECTORIES: dirname(call.at.directory),
              ...(call.at.gitDir === undefined ? {} : { GIT_DIR: call.at.gitDir }),
              ...(call.at.workTree === undefined ? {} : { GIT_WORK_TREE: call.at.workTree }),
              ...(call.index === undefined ? {} : { GIT_INDEX_FILE: call.index }),
              ...(call.reads === true ? { GIT_OPTIONAL_LOCKS: "0" } : {})
            },
            timeout: call.timeout ?? "60 seconds",
            outputLimit,
            ...(call.input === undefined ? {} : { input: call.input })
          }).pipe(
            Effect.mapError(
              ({ message }: ProcessStopped) => new GitFailed({ command: call.args[0], reason: message })
            )
          )

        const demand = (call: GitCall) => (finished: Finished) =>
          finished.exitCode === 0
            ? Effect.succeed(finished.stdout)
            : new GitFailed({
                command: call.args[0],
                exitCode: finished.exitCode,
                reason: reasonOf(finished.stderr)
              })

        const entries = (at: Place) => {
          const call: GitCall = { at, args: ["config", "--list", "-z"], timeout: "10 seconds" }
          return Effect.map(Effect.flatMap(execute(call, overrides([])), demand(call)), (output) =>
            parseEntries(output)
          )
        }
        // What is configured is asked before each call: what was true for the last one may have changed.
        const runCall = (call: GitCall) =>
          Effect.flatMap(entries(call.at), (known) => execute(call, overrides(known)))

        return Git.of({
          run: runCall,
          text: (call) => Effect.flatMap(runCall(call), demand(call)),
          entries
        })
      })
    )
}
