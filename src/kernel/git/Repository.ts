import { isUtf8 } from "node:buffer"
import { resolve } from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import { Effect, Either, type Scope } from "effect"
import type { Finished } from "../process/Run.ts"
import { type Entry, formatOf } from "./Configuration.ts"
import { recordsOf } from "./FileName.ts"
import { Git, GitFailed, type Place, reasonOf } from "./Git.ts"
import { gitDirectoryOf, gitDirectoryOfRemote, looksBare } from "./GitDirectory.ts"
import { isCommitId } from "./RefName.ts"
import { originOf, type Remote } from "./Remote.ts"

/** A repository on this machine: its checkout (or itself, when it is bare) and the Git directory that its worktrees share. */
export interface Repository {
  readonly path: string
  readonly commonDir: string
}

/** The place of calls about the repository as a whole: they run in the Git directory, without a work tree. */
export const placeOf = ({ commonDir }: Repository): Place => ({
  directory: commonDir,
  gitDir: commonDir,
  commonDir
})

const networkTimeout = "2 minutes"

/** Whether `core.worktree` is absent or names the checkout itself. */
const isCheckout = (entries: ReadonlyArray<Entry>, gitDir: string, path: string) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const configured = entries.find(({ key }) => key === "core.worktree")?.value
    if (configured === undefined) return true
    const real = yield* Effect.orElseSucceed(files.realPath(resolve(gitDir, configured)), () => undefined)
    return real === path
  })

/** Opens the repository at exactly this path: not one above it, and not a linked worktree of another one. */
export const open = (path: string): Effect.Effect<Repository, GitFailed, Git | FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const git = yield* Git
    const files = yield* FileSystem.FileSystem
    const refuse = (reason: string) => new GitFailed({ command: "rev-parse", reason })
    const real = yield* Effect.mapError(files.realPath(path), () => refuse("there is no such directory"))
    const info = yield* Effect.mapError(files.stat(real), () => refuse("it can't be read"))
    if (info.type !== "Directory") return yield* refuse("it is not a directory")
    const found = yield* gitDirectoryOf(real)
    if (found === undefined) return yield* refuse("it is not a git repository")
    const { commonDir, gitDir } = found
    if (gitDir !== commonDir) return yield* refuse("it is a worktree of another repository")
    const entries = yield* git.entries(found)
    const format = yield* Either.mapLeft(formatOf(entries, looksBare(commonDir)), refuse)
    const elsewhere = gitDir === real ? !format.bare : !(yield* isCheckout(entries, gitDir, real))
    if (!format.bare && elsewhere) return yield* refuse("its work tree is somewhere else")
    return { path: real, commonDir }
  })

/** The remote `origin`, as far as it can be used. */
export const origin = (repository: Repository): Effect.Effect<Remote, GitFailed, Git> =>
  Effect.gen(function* () {
    const git = yield* Git
    const found = originOf(yield* git.entries(placeOf(repository)), repository.path)
    return yield* Either.mapLeft(found, (reason) => new GitFailed({ command: "remote", reason }))
  })

/** The remote-tracking ref of a branch: what origin was last known to have. */
export const trackingRef = (branch: string): string => `refs/remotes/origin/${branch}`

/** The commit of a ref, if there is one. */
export const commitOf = (at: Place, ref: string): Effect.Effect<string | undefined, GitFailed, Git> =>
  Effect.flatMap(Git, (git) =>
    Effect.map(
      git.run({
        at,
        args: ["rev-parse", "--verify", "--quiet", "--end-of-options", `${ref}^{commit}`],
        reads: true
      }),
      ({ exitCode, stdout }) => (exitCode === 0 && isCommitId(stdout.trim()) ? stdout.trim() : undefined)
    )
  )

/** True when one commit is reachable from another. */
export const isAncestor = (at: Place, ancestor: string, of: string): Effect.Effect<boolean, GitFailed, Git> =>
  Effect.flatMap(Git, (git) =>
    Effect.map(
      git.run({ at, args: ["merge-base", "--is-ancestor", ancestor, of], reads: true }),
      ({ exitCode }) => exitCode === 0
    )
  )

/** How many commits lie in a range, such as `HEAD --not --remotes=origin`. */
export const count = (at: Place, ...range: ReadonlyArray<string>): Effect.Effect<number, GitFailed, Git> =>
  Effect.flatMap(Git, (git) =>
    Effect.map(git.text({ at, args: ["rev-list", "--count", ...range, "--"], reads: true }), Number)
  )

/**
 * The names of the local branches and of those of origin. Names that are not UTF-8 are left out: no client could name
 * them.
 */
export const branches = (repository: Repository): Effect.Effect<ReadonlyArray<string>, GitFailed, Git> =>
  Effect.flatMap(Git, (git) =>
    Effect.map(
      git.bytes({
        at: placeOf(repository),
        args: ["for-each-ref", "--format=%(refname)%00", "--count=1000", "refs/heads", "refs/remotes/origin"],
        reads: true
      }),
      (output) => [
        ...new Set(
          recordsOf(output)
            .map((record) => Buffer.from(record.trimStart(), "latin1"))
            .filter(isUtf8)
            .map((ref) => ref.toString().replace(/^refs\/(?:heads|remotes\/origin)\//, ""))
            .filter((name) => name !== "" && name !== "HEAD")
        )
      ]
    )
  )

/** Whether git accepts a branch name. Our own, stricter rules are checked first. */
export const acceptsBranch = (name: string): Effect.Effect<boolean, GitFailed, Git> =>
  Effect.flatMap(Git, (git) =>
    Effect.map(
      git.run({ args: ["check-ref-format", "--branch", name] }),
      ({ exitCode, stdout }) => exitCode === 0 && stdout.trim() === name
    )
  )

/**
 * Gives the address by which git reaches a remote. The other side of one on this machine runs here: it works by the
 * service's configuration, so that neither its hooks nor its checkout are touched. Complaints name the remote itself.
 */
const reaching =
  ({ path, url }: Remote) =>
  <A, R>(
    use: (address: string) => Effect.Effect<A, GitFailed, R>
  ): Effect.Effect<A, GitFailed, Exclude<R, Scope.Scope> | Git | FileSystem.FileSystem> =>
    Effect.scoped(
      Effect.gen(function* () {
        if (path === undefined) return yield* use(url)
        const git = yield* Git
        const found = yield* gitDirectoryOfRemote(path)
        if (found === undefined) {
          return yield* new GitFailed({
            command: "remote",
            reason: "origin is no repository that can be read"
          })
        }
        const address = yield* git.otherSide(found.commonDir)
        return yield* Effect.mapError(
          use(address),
          (failure) =>
            new GitFailed({
              command: failure.command,
              ...(failure.exitCode === undefined ? {} : { exitCode: failure.exitCode }),
              reason: failure.reason.replaceAll(address, path)
            })
        )
      })
    )

/** Fetches one branch of origin, and gives the commit that it has there now. */
export const fetch = (
  repository: Repository,
  remote: Remote,
  branch: string
): Effect.Effect<string, GitFailed, Git | FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const git = yield* Git
    const at = placeOf(repository)
    yield* reaching(remote)((address) =>
      git.text({
        at,
        args: [
          "fetch",
          "--quiet",
          "--no-tags",
          "--no-write-fetch-head",
          "--no-recurse-submodules",
          "--no-auto-maintenance",
          "--upload-pack=git-upload-pack",
          "--end-of-options",
          address,
          `+refs/heads/${branch}:${trackingRef(branch)}`
        ],
        timeout: networkTimeout
      })
    )
    const commit = yield* commitOf(at, trackingRef(branch))
    return commit ?? (yield* new GitFailed({ command: "fetch", reason: `origin has no branch ${branch}` }))
  })

/** What came of a push: it happened, or origin has commits that would be lost by it. */
export type Pushed = "pushed" | "non-fast-forward"

/** Pushes a commit to a branch of origin, never by force, and remembers that origin has it. */
export const push = (
  repository: Repository,
  remote: Remote,
  commit: string,
  branch: string
): Effect.Effect<Pushed, GitFailed, Git | FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const git = yield* Git
    const at = placeOf(repository)
    const pushed = yield* reaching(remote)((address) =>
      Effect.flatMap(
        git.run({
          at,
          args: [
            "push",
            "--porcelain",
            "--no-verify",
            "--no-follow-tags",
            "--recurse-submodules=no",
            "--receive-pack=git-receive-pack",
            "--end-of-options",
            address,
            `${commit}:refs/heads/${branch}`
          ],
          timeout: networkTimeout
        }),
        outcomeOf
      )
    )
    if (pushed === "pushed") yield* git.text({ at, args: ["update-ref", trackingRef(branch), commit] })
    return pushed
  })

/** Why origin did not take a push that would have lost commits, in the words of both sides. */
const rejected =
  /\[(?:remote )?rejected\].*(?:fetch first|non-fast-forward|stale info|failed to update ref|cannot lock)/

const outcomeOf = ({ exitCode, stderr, stdout }: Finished): Effect.Effect<Pushed, GitFailed> => {
  if (exitCode === 0) return Effect.succeed("pushed")
  if (rejected.test(stdout)) return Effect.succeed("non-fast-forward")
  return new GitFailed({ command: "push", exitCode, reason: reasonOf(stderr || stdout) })
}
