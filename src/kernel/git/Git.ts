import { join } from "node:path"
import type { PlatformError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import { Context, Data, type Duration, Effect, Either, Layer, type Scope } from "effect"
import { type Finished, type FinishedBytes, type ProcessStopped, runBytes } from "../process/Run.ts"
import { redactText } from "../Redaction.ts"
import { now } from "../Time.ts"
import { type Entry, type Format, formatOf, parseEntries } from "./Configuration.ts"
import { gitEnvironment } from "./Environment.ts"
import { looksBare } from "./GitDirectory.ts"
import { smallFile } from "./SmallFile.ts"
import { type Conversion, makeView } from "./View.ts"

/**
 * Where git works: its current directory, the Git directory, the common directory that the worktrees of a repository
 * share (the Git directory itself, unless it is a worktree's), and the work tree, if there is one. All are given
 * explicitly, so that no file there can lead git elsewhere.
 */
export interface Place {
  readonly directory: string
  readonly gitDir: string
  readonly commonDir: string
  readonly workTree?: string
}

/** One call of git: a built-in subcommand and its arguments. */
export interface GitCall {
  /** Outside of every repository when absent. */
  readonly at?: Place
  readonly args: readonly [string, ...ReadonlyArray<string>]
  readonly input?: string | Uint8Array
  /** Another index than the work tree's own. */
  readonly index?: string
  /** How files are taken into the repository; `as-committed` when absent. */
  readonly conversion?: Conversion
  /** True for calls that only read: git then takes no optional locks. */
  readonly reads?: boolean
  readonly timeout?: Duration.DurationInput
}

/**
 * Git failed, or could not be run: then `exitCode` is absent. `reason` is the beginning of what it wrote to stderr,
 * without secrets.
 */
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

/** The largest configuration of a repository that is looked at, in bytes. */
const configurationLimit = 1_048_576

/** How many parsed configurations are kept. */
const knownLimit = 500

/** The first lines that git wrote to stderr, at most 600 characters, without secrets. */
export const reasonOf = (stderr: string): string =>
  redactText(
    stderr
      .split("\n")
      .filter((line) => line.trim() !== "")
      .slice(0, 6)
      .join("; ")
      .slice(0, 600)
  )

/** Git, as a program that works on repositories of strangers. Their configuration is read as data and never obeyed. */
export interface GitService {
  /** Runs git, and gives its exit code and its output as text, whatever the exit code. */
  readonly run: (call: GitCall) => Effect.Effect<Finished, GitFailed>
  /** Runs git, which must succeed, and gives its output as text. */
  readonly text: (call: GitCall) => Effect.Effect<string, GitFailed>
  /** Runs git, which must succeed, and gives its output byte for byte: for output that holds names of files. */
  readonly bytes: (call: GitCall) => Effect.Effect<Buffer, GitFailed>
  /** The settings of the repository, behind those that a worktree has for itself. */
  readonly entries: (
    at: Pick<Place, "gitDir" | "commonDir">
  ) => Effect.Effect<ReadonlyArray<Entry>, GitFailed>
  /**
   * The path at which another repository of this machine can be fetched from and pushed to, for the life of the scope:
   * what runs on that side works by the service's configuration too.
   */
  readonly otherSide: (commonDir: string) => Effect.Effect<string, GitFailed, Scope.Scope>
}

export class Git extends Context.Tag("muster/Git")<Git, GitService>() {
  /** `home` becomes the home directory of every git: a directory that belongs to the service. */
  static readonly layer = (home: string) =>
    Layer.scoped(
      Git,
      Effect.gen(function* () {
        const files = yield* FileSystem.FileSystem
        yield* files.makeDirectory(home, { recursive: true, mode: 0o700 })
        yield* removeOldViews(home)
        const views = yield* files.makeTempDirectoryScoped({ directory: home, prefix: viewsPrefix })
        const environment = gitEnvironment(process.env, home)
        const known = new Map<string, { readonly content: Buffer; readonly format: Format }>()

        const execute = (call: GitCall, variables: Readonly<Record<string, string>>) =>
          runBytes({
            file: "git",
            args: call.args,
            cwd: call.at?.directory ?? home,
            env: {
              ...environment,
              ...variables,
              ...(call.at?.workTree === undefined ? {} : { GIT_WORK_TREE: call.at.workTree }),
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

        const nowhere = { GIT_DIR: "/dev/null" }

        const parse = (content: Buffer) =>
          Effect.gen(function* () {
            const args = ["config", "--file", "-", "--no-includes", "--list", "-z"] as const
            const call: GitCall = { args, input: content, timeout: "10 seconds" }
            const output = yield* Effect.flatMap(execute(call, nowhere), demand(call))
            return parseEntries(output.toString())
          })

        const contentOf = (directory: string, name: string) =>
          smallFile(join(directory, name), configurationLimit)

        const entries = ({ commonDir, gitDir }: Pick<Place, "gitDir" | "commonDir">) =>
          Effect.gen(function* () {
            const own = gitDir === commonDir ? undefined : yield* contentOf(gitDir, "config.worktree")
            const shared = yield* contentOf(commonDir, "config")
            return [
              ...(own === undefined ? [] : yield* parse(own)),
              ...(shared === undefined ? [] : yield* parse(shared))
            ]
          })

        /** Parsed again only when the content has changed. */
        const formatAt = (commonDir: string) =>
          Effect.gen(function* () {
            const content = yield* contentOf(commonDir, "config")
            if (content === undefined) return yield* unusable("its configuration can't be read")
            const before = known.get(commonDir)
            if (before?.content.equals(content) === true) return before.format
            const format = formatOf(yield* parse(content), looksBare(commonDir))
            if (Either.isLeft(format)) return yield* unusable(format.left)
            if (known.size >= knownLimit) known.clear()
            known.set(commonDir, { content, format: format.right })
            return format.right
          })

        const viewOf = (commonDir: string, conversion: Conversion = "as-committed") =>
          Effect.flatMap(formatAt(commonDir), (format) =>
            Effect.catchTags(makeView(files, views, commonDir, format, conversion), unlooked)
          )

        const runCall = (call: GitCall): Effect.Effect<FinishedBytes, GitFailed> => {
          const { at } = call
          if (at === undefined) return execute(call, nowhere)
          return Effect.scoped(
            Effect.gen(function* () {
              const view = yield* viewOf(at.commonDir, call.conversion)
              const finished = yield* execute(call, { GIT_DIR: at.gitDir, GIT_COMMON_DIR: view })
              // Git knows the repository by the path of the view: errors name its own path.
              const stderr = Buffer.from(finished.stderr.toString().replaceAll(view, at.commonDir))
              return { ...finished, stderr }
            })
          )
        }

        const bytes = (call: GitCall) => Effect.flatMap(runCall(call), demand(call))

        return Git.of({
          run: (call) =>
            Effect.map(runCall(call), ({ exitCode, stderr, stdout }) => ({
              exitCode,
              stdout: stdout.toString(),
              stderr: stderr.toString()
            })),
          text: (call) => Effect.map(bytes(call), (output) => output.toString()),
          bytes,
          entries,
          otherSide: (commonDir) => viewOf(commonDir)
        })
      })
    )
}

const viewsPrefix = "views-"

/** Longer than any call of git may take, in milliseconds. */
const oldAge = 86_400_000

/** Removes the views that servers left behind when they were killed. */
const removeOldViews = (home: string): Effect.Effect<void, PlatformError, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const oldest = (yield* now) - oldAge
    const left = (yield* files.readDirectory(home)).filter((name) => name.startsWith(viewsPrefix))
    for (const name of left) {
      const path = join(home, name)
      const { mtime } = yield* files.stat(path)
      const isOld = mtime._tag === "Some" && mtime.value.getTime() < oldest
      if (isOld) yield* Effect.ignoreLogged(files.remove(path, { recursive: true, force: true }))
    }
  })

const unusable = (reason: string): GitFailed => new GitFailed({ command: "config", reason })

/** Failures to make a view, as failures of git: the cases of `Effect.catchTags`. */
const unlooked = {
  SystemError: ({ reason }: { readonly reason: string }) =>
    new GitFailed({ command: "config", reason: `the service has no place to work in: ${reason}` }),
  BadArgument: () => new GitFailed({ command: "config", reason: "the service has no place to work in" })
}

const demand =
  (call: GitCall) =>
  (finished: FinishedBytes): Effect.Effect<Buffer, GitFailed> =>
    finished.exitCode === 0
      ? Effect.succeed(finished.stdout)
      : new GitFailed({
          command: call.args[0],
          exitCode: finished.exitCode,
          reason: reasonOf(finished.stderr.toString())
        })
