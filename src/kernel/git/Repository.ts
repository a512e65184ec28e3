import * as FileSystem from "@effect/platform/FileSystem"
import { Effect, Either } from "effect"
import { Git, GitFailed, type Place, reasonOf } from "./Git.ts"
import { isCommitId } from "./RefName.ts"
import { originOf, type Remote } from "./Remote.ts"

/** A repository on this machine: its checkout (or itself, when it is bare) and the Git directory that its worktrees share. */
export interface Repository {
  readonly path: string
  readonly commonDir: string
}

/** The place of calls about the repository as a whole: they stand in the Git directory and see no work tree. */
export const placeOf = ({ commonDir }: Repository): Place => ({ directory: commonDir, gitDir: commonDir })

const networkTimeout = "2 minutes"

/** Opens the repository at exactly this path: not one above it, and not a linked worktree of another one. */
export const open = (path: string): Effect.Effect<Repository, GitFailed, Git | FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const git = yield* Git
    const files = yield* FileSystem.FileSystem
    const refuse = (reason: string) => new GitFailed({ command: "rev-parse", reason })
    const real = yield* Effect.mapError(files.realPath(path), () => refuse("there is no such directory"))
    const info = yield* Effect.mapError(files.stat(real), () => refuse("it can't be read"))
    if (info.type !== "Directory") return yield* refuse("it is not a directory")
    const output = yield* git.text({
      at: { directory: real },
      args: ["rev-parse", "--path-format=absolute", "--git-dir", "--git-common-dir", "--is-bare-repository"],
      reads: true
    })
    const [gitDir = "", commonDir = "", bare] = output.trim().split("\n")
    const realPath = (of: string) => Effect.mapError(files.realPath(of), () => refuse("it can't be read"))
    const [realGitDir, realCommonDir] = [yield* realPath(gitDir), yield* realPath(commonDir)]
    if (realGitDir !== realCommonDir) return yield* refuse("it is a worktree of another repository")
    if (bare !== "true") {
      const top = yield* git.text({
        at: { directory: real },
        args: ["rev-parse", "--show-toplevel"],
        reads: true
      })
      if ((yield* realPath(top.replace(/\n$/, ""))) !== real)
        return yield* refuse("its work tree is somewhere else")
    }
    return { path: real, commonDir: realCommonDir }
  })

/** The remote `origin`, as far as it can be used. */
export const origin = (repository: Repository): Effect.Effect<Remote, GitFailed, Git> =>
  Effect.gen(function* () {
    const git = yield* Git
    const found = originOf(yield* git.entries(placeOf(repository)), repository.path)
    return yield* Either.mapLeft(found, (reason) => new GitFailed({ command: "remote", reason }))
  })

/** The ref that holds what origin last had of a branch. */
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

/** The names of the local branches, those that are not canonical left out. */
export const branches = (repository: Repository): Effect.Effect<ReadonlyArray<string>, GitFailed, Git> =>
  Effect.flatMap(Git, (git) =>
    Effect.map(
      git.text({
        at: placeOf(repository),
        args: ["for-each-ref", "--format=%(refname)", "--count=1000", "refs/heads", "refs/remotes/origin"],
        reads: true
      }),
      (output) => [
        ...new Set(
          output
            .split("\n")
            .map((ref) => ref.replace(/^refs\/(?:heads|remotes\/origin)\//, ""))
            .filter((name) => name !== "" && name !== "HEAD")
        )
      ]
    )
  )

/** True when git takes the name for a branch. Its rules are asked after our own, which it can't be led around. */
export const acceptsBranch = (name: string): Effect.Effect<boolean, GitFailed, Git> =>
  Effect.flatMap(Git, (git) =>
    Effect.map(
      git.run({ at: { directory: "/" }, args: ["check-ref-format", "--branch", name], reads: true }),
      ({ exitCode, stdout }) => exitCode === 0 && stdout.trim() === name
    )
  )

/** For a repository on this machine the other side runs here: neither its hooks nor its checkout are touched. */
const otherSide = ({ local }: Remote, program: "upload-pack" | "receive-pack"): string =>
  local
    ? `git -c core.hooksPath=/dev/null -c core.fsmonitor=false -c core.alternateRefsCommand=: -c gc.auto=0 -c receive.autogc=false -c receive.denyCurrentBranch=refuse ${program}`
    : `git-${program}`

/** Fetches one branch of origin, and gives the commit that it has there now. */
export const fetch = (
  repository: Repository,
  remote: Remote,
  branch: string
): Effect.Effect<string, GitFailed, Git> =>
  Effect.gen(function* () {
    const git = yield* Git
    const at = placeOf(repository)
    yield* git.text({
      at,
      args: [
        "fetch",
        "--quiet",
        "--no-tags",
        "--no-write-fetch-head",
        "--no-recurse-submodules",
        "--no-auto-maintenance",
        `--upload-pack=${otherSide(remote, "upload-pack")}`,
        "--end-of-options",
        remote.url,
        `+refs/heads/${branch}:${trackingRef(branch)}`
      ],
      timeout: networkTimeout
    })
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
): Effect.Effect<Pushed, GitFailed, Git> =>
  Effect.gen(function* () {
    const git = yield* Git
    const at = placeOf(repository)
    const { exitCode, stderr, stdout } = yield* git.run({
      at,
      args: [
        "push",
        "--porcelain",
        "--no-verify",
        "--no-follow-tags",
        "--recurse-submodules=no",
        `--receive-pack=${otherSide(remote, "receive-pack")}`,
        "--end-of-options",
        remote.url,
        `${commit}:refs/heads/${branch}`
      ],
      timeout: networkTimeout
    })
    if (exitCode !== 0) {
      if (
        /\[(?:remote )?rejected\].*(?:fetch first|non-fast-forward|stale info|failed to update ref|cannot lock)/.test(
          stdout
        )
      )
        return "non-fast-forward"
      return yield* new GitFailed({
        command: "push",
        exitCode,
        reason: reasonOf(stderr || stdout)
      })
    }
    yield* git.text({ at, args: ["update-ref", trackingRef(branch), commit] })
    return "pushed"
  })
