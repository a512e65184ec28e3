import { join, resolve } from "node:path"
import type { PlatformError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import { Effect } from "effect"
import { Git, type GitFailed, type Place } from "../../kernel/git/Git.ts"
import type { Manifest } from "./Manifest.ts"

/** The place of calls in a worktree. Both sides are named, so that no configuration can lead git elsewhere. */
export const workTreeAt = (directory: string, gitDir: string): Place => ({
  directory,
  gitDir,
  workTree: directory
})

/** A small file as one line; undefined when it is something else. */
const line = (path: string): Effect.Effect<string | undefined, PlatformError, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const info = yield* files.stat(path)
    if (info.type !== "File" || info.size > 4_096n) return undefined
    return (yield* files.readFileString(path)).trim()
  })

/** The Git directory that a worktree names in its `.git` file, if that Git directory names the worktree back. */
export const gitDirOf = (
  path: string,
  commonDir: string
): Effect.Effect<string | undefined, PlatformError, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const link = join(path, ".git")
    const named = /^gitdir: (.+)$/.exec((yield* line(link)) ?? "")?.[1]
    if (named === undefined) return undefined
    const gitDir = yield* files.realPath(resolve(path, named))
    if (!gitDir.startsWith(`${commonDir}/worktrees/`)) return undefined
    const back = (yield* line(join(gitDir, "gitdir"))) ?? ""
    const common = (yield* line(join(gitDir, "commondir"))) ?? ""
    const leadsBack = resolve(gitDir, back) === link && resolve(gitDir, common) === commonDir
    return leadsBack ? gitDir : undefined
  })

/** How what lies at a path fits its manifest. */
export type Fit =
  | { readonly _tag: "Absent" }
  | { readonly _tag: "Different"; readonly reason: string }
  | { readonly _tag: "Same"; readonly place: Place }

const different = (reason: string): Fit => ({ _tag: "Different", reason })

/** Compares what lies at the path of a worktree with its manifest. */
export const fitOf = (manifest: Manifest): Effect.Effect<Fit, never, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const { commonDir, gitDir, path } = manifest
    const real = yield* files.realPath(path)
    if (real !== path) return different("The path of the worktree is a symbolic link now")
    if (gitDir === undefined) return different("The manifest does not know the Git directory")
    const found = yield* Effect.orElseSucceed(gitDirOf(path, commonDir), () => undefined)
    return found === gitDir
      ? { _tag: "Same" as const, place: workTreeAt(path, gitDir) }
      : different("The directory is not the worktree that the manifest describes")
  }).pipe(
    Effect.catchAll((error) =>
      Effect.succeed(
        error._tag === "SystemError" && error.reason === "NotFound"
          ? { _tag: "Absent" as const }
          : different("The path of the worktree can't be read")
      )
    )
  )

/** The files of a worktree that HEAD does not have as they are. */
export interface Changes {
  /** Paths that the index or HEAD knows otherwise, those included that the index is told not to look at. */
  readonly dirty: ReadonlyArray<string>
  readonly untracked: ReadonlyArray<string>
  readonly ignored: number
  readonly nestedRepositories: number
  readonly staged: boolean
}

const changed = /^(?:1 (.)\S (?:\S+ ){6}|u (.)\S (?:\S+ ){8})(.*)$/s

/** The changes of a worktree. Submodules are not entered: git would run by their configuration. */
export const changesOf = (place: Place): Effect.Effect<Changes, GitFailed, Git | FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const git = yield* Git
    const files = yield* FileSystem.FileSystem
    const exists = (path: string) =>
      Effect.orElseSucceed(files.exists(join(place.directory, path)), () => true)
    const [status, listed] = yield* Effect.all(
      [
        git.text({
          at: place,
          args: [
            "status",
            "--porcelain=v2",
            "-z",
            "--no-renames",
            "--untracked-files=all",
            "--ignored=matching",
            "--ignore-submodules=dirty"
          ],
          reads: true
        }),
        git.text({ at: place, args: ["ls-files", "-v", "-s", "-z"], reads: true })
      ],
      { concurrency: 2 }
    )
    const records = status.split("\0").filter((record) => record !== "")
    const known = records.flatMap((record) => {
      const [, staged, conflicted, path] = changed.exec(record) ?? []
      return path === undefined ? [] : [{ path, staged: (staged ?? conflicted) !== "." }]
    })
    const unknown = records.flatMap((record) => (record.startsWith("? ") ? [record.slice(2)] : []))
    const entries = listed.split("\0").filter((entry) => !/^H (?!160000)/.test(entry) && entry !== "")
    const [hidden, modules]: [Array<string>, Array<string>] = [[], []]
    for (const entry of entries) {
      const path = entry.slice(entry.indexOf("\t") + 1)
      if (/^. 160000/.test(entry)) {
        if (yield* exists(`${path}/.git`)) modules.push(path)
      } else if (/^[a-zS]/.test(entry) && (yield* exists(path))) hidden.push(path)
    }
    return {
      dirty: [...new Set([...known.map(({ path }) => path), ...hidden])],
      untracked: unknown.filter((path) => !path.endsWith("/")),
      ignored: records.filter((record) => record.startsWith("! ")).length,
      nestedRepositories: unknown.filter((path) => path.endsWith("/")).length + modules.length,
      staged: known.some(({ staged }) => staged)
    }
  })

/** The branch that is checked out; null when there is none. */
export const branchAt = (place: Place): Effect.Effect<string | null, GitFailed, Git> =>
  Effect.flatMap(Git, (git) =>
    Effect.map(
      git.run({ at: place, args: ["symbolic-ref", "--quiet", "HEAD"], reads: true }),
      ({ exitCode, stdout }) => (exitCode === 0 ? stdout.trim().replace(/^refs\/heads\//, "") : null)
    )
  )

/** The files that a merge or a rebase could not bring together. */
export const conflictsAt = (place: Place): Effect.Effect<ReadonlyArray<string>, GitFailed, Git> =>
  Effect.flatMap(Git, (git) =>
    Effect.map(git.text({ at: place, args: ["ls-files", "--unmerged", "-z"], reads: true }), (output) => [
      ...new Set(
        output
          .split("\0")
          .filter((entry) => entry !== "")
          .map((entry) => entry.slice(entry.indexOf("\t") + 1))
      )
    ])
  )
