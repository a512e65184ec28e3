import { isUtf8 } from "node:buffer"
import { lstat } from "node:fs/promises"
import { basename, join, resolve } from "node:path"
import type { PlatformError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import { Effect } from "effect"
import { type FileName, nameIn, pathIn, recordsOf, shown } from "../../kernel/git/FileName.ts"
import { Git, GitFailed, type Place } from "../../kernel/git/Git.ts"
import { placeOf, type Repository } from "../../kernel/git/Repository.ts"
import { firstLine } from "../../kernel/git/SmallFile.ts"
import type { Manifest } from "./Manifest.ts"

/** The place of calls in a worktree. Every side is named, so that no configuration can lead git elsewhere. */
export const workTreeAt = (
  directory: string,
  gitDir: string,
  commonDir: string
): Place & { readonly workTree: string } => ({ directory, gitDir, commonDir, workTree: directory })

/** The Git directory that a worktree names in its `.git` file, if that Git directory names the worktree back. */
export const gitDirOf = (
  path: string,
  commonDir: string
): Effect.Effect<string | undefined, PlatformError, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const link = join(path, ".git")
    const named = /^gitdir: (.+)$/.exec((yield* firstLine(link)) ?? "")?.[1]
    if (named === undefined) return undefined
    const gitDir = yield* files.realPath(resolve(path, named))
    if (!gitDir.startsWith(`${commonDir}/worktrees/`)) return undefined
    const back = (yield* firstLine(join(gitDir, "gitdir"))) ?? ""
    const common = (yield* firstLine(join(gitDir, "commondir"))) ?? ""
    const leadsBack = resolve(gitDir, back) === link && resolve(gitDir, common) === commonDir
    return leadsBack ? gitDir : undefined
  })

/**
 * Makes a work tree at a path, and gives its Git directory. Git, which knows the repository by the service's view of it,
 * names that in the `.git` file; the repository itself is what must stand there.
 */
export const addWorkTree = (
  repository: Repository,
  path: string,
  how: ReadonlyArray<string>
): Effect.Effect<string, GitFailed | PlatformError, Git | FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const git = yield* Git
    const files = yield* FileSystem.FileSystem
    const all = join(repository.commonDir, "worktrees")
    yield* files.makeDirectory(all, { recursive: true })
    yield* git.text({
      at: placeOf(repository),
      args: ["worktree", "add", "--quiet", "--no-guess-remote", ...how],
      timeout: "10 minutes"
    })
    const link = join(path, ".git")
    const named = /^gitdir: (.+)$/.exec((yield* firstLine(link)) ?? "")?.[1]
    const real = yield* files.realPath(path)
    if (named !== undefined && real === path) {
      yield* files.writeFileString(link, `gitdir: ${join(all, basename(named))}\n`)
    }
    const gitDir = real === path ? yield* gitDirOf(path, repository.commonDir) : undefined
    return (
      gitDir ??
      (yield* new GitFailed({ command: "worktree", reason: "the worktree is not where it was put" }))
    )
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
      ? { _tag: "Same" as const, place: workTreeAt(path, gitDir, commonDir) }
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
  readonly dirty: ReadonlyArray<FileName>
  readonly untracked: ReadonlyArray<FileName>
  readonly ignored: number
  readonly nestedRepositories: number
  readonly staged: boolean
}

const changed = /^(?:1 (.)\S (?:\S+ ){6}|u (.)\S (?:\S+ ){8})(.*)$/s

/** What follows the tab of a record of `ls-files`. */
const listedName = (record: string): FileName => nameIn(record.slice(record.indexOf("\t") + 1))

/** True when something lies there, were it a link to nowhere, or nobody can tell. */
const lies = (directory: string, name: FileName): Effect.Effect<boolean> =>
  Effect.promise(() =>
    lstat(pathIn(directory, name)).then(
      () => true,
      (error: NodeJS.ErrnoException) => error.code !== "ENOENT" && error.code !== "ENOTDIR"
    )
  )

/** The changes of a worktree. Submodules are not entered: git would run by their configuration. */
export const changesOf = (place: Place): Effect.Effect<Changes, GitFailed, Git> =>
  Effect.gen(function* () {
    const git = yield* Git
    const exists = (name: string) => lies(place.directory, nameIn(name))
    const [status, listed] = yield* Effect.all(
      [
        git.bytes({
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
        git.bytes({ at: place, args: ["ls-files", "-v", "-s", "-z"], reads: true })
      ],
      { concurrency: 2 }
    )
    const records = recordsOf(status)
    const known = records.flatMap((record) => {
      const [, staged, conflicted, path] = changed.exec(record) ?? []
      return path === undefined ? [] : [{ path: nameIn(path), staged: (staged ?? conflicted) !== "." }]
    })
    const unknown = records.flatMap((record) => (record.startsWith("? ") ? [nameIn(record.slice(2))] : []))
    const entries = recordsOf(listed).filter((entry) => !/^H (?!160000)/.test(entry))
    const [hidden, modules]: [Array<FileName>, Array<FileName>] = [[], []]
    for (const entry of entries) {
      const path = listedName(entry)
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

/** The branch that is checked out, as people read it; null when there is none. */
export const branchAt = (place: Place): Effect.Effect<string | null, GitFailed, Git> =>
  Effect.flatMap(Git, (git) =>
    Effect.map(git.bytes({ at: place, args: ["symbolic-ref", "--quiet", "HEAD"], reads: true }), (output) => {
      const branch = output.subarray("refs/heads/".length, -1)
      return isUtf8(branch) ? branch.toString() : shown(nameIn(branch.toString("latin1")))
    })
  ).pipe(
    Effect.catchIf(
      ({ exitCode }) => exitCode === 1,
      () => Effect.succeed(null)
    )
  )

/** The files that a merge or a rebase could not bring together, as people read their names. */
export const conflictsAt = (place: Place): Effect.Effect<ReadonlyArray<string>, GitFailed, Git> =>
  Effect.flatMap(Git, (git) =>
    Effect.map(git.bytes({ at: place, args: ["ls-files", "--unmerged", "-z"], reads: true }), (output) => [
      ...new Set(recordsOf(output).map((record) => shown(listedName(record))))
    ])
  )
