import { stat } from "node:fs/promises"
import { basename, join, resolve } from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import { Effect } from "effect"
import { firstLine } from "./SmallFile.ts"

/*
 * Finds the Git directory of a repository. Git could, but would obey the configuration that it finds there; this
 * follows the rules of gitrepository-layout and reads the files as data.
 */

/** The Git directory of a checkout or of a bare repository, and the one that it shares with its worktrees. */
export interface GitDirectory {
  readonly gitDir: string
  readonly commonDir: string
}

const isDirectory = (path: string): Effect.Effect<boolean> =>
  Effect.promise(() =>
    stat(path).then(
      (info) => info.isDirectory(),
      () => false
    )
  )

/** The directory that a path leads to: itself, or the one that a `.git` file names. */
const followed = (path: string): Effect.Effect<string | undefined> =>
  Effect.gen(function* () {
    if (yield* isDirectory(path)) return path
    const named = /^gitdir: (.+)$/.exec((yield* firstLine(path)) ?? "")?.[1]
    return named === undefined ? undefined : resolve(path, "..", named)
  })

/** The Git directory at exactly this path, if there is one. */
const directoryAt = (path: string): Effect.Effect<GitDirectory | undefined, never, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const found = yield* followed(path)
    if (found === undefined) return undefined
    const gitDir = yield* files.realPath(found)
    const shared = yield* firstLine(join(gitDir, "commondir"))
    const commonDir = shared === undefined ? gitDir : yield* files.realPath(resolve(gitDir, shared))
    const head = yield* headOf(gitDir)
    const whole =
      (yield* isDirectory(join(commonDir, "objects"))) && (yield* isDirectory(join(commonDir, "refs")))
    return head !== undefined && whole ? { gitDir, commonDir } : undefined
  }).pipe(Effect.orElseSucceed(() => undefined))

const first = (
  candidates: ReadonlyArray<string>
): Effect.Effect<GitDirectory | undefined, never, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    for (const path of candidates) {
      const found = yield* directoryAt(path)
      if (found !== undefined) return found
    }
    return undefined
  })

/** The Git directory of the repository at a path. */
export const gitDirectoryOf = (path: string) => first([join(path, ".git"), path])

/** The Git directory that git finds at a remote's local path: it tries the usual endings. */
export const gitDirectoryOfRemote = (path: string) =>
  first([join(path, ".git"), path, join(`${path}.git`, ".git"), `${path}.git`])

/** What `HEAD` of a Git directory says: `ref: refs/…` or the id of a commit. */
export const headOf = (gitDir: string): Effect.Effect<string | undefined> =>
  Effect.map(firstLine(join(gitDir, "HEAD")), (line) =>
    line !== undefined && /^(?:ref: refs\/.|[0-9a-f]{40}$|[0-9a-f]{64}$)/.test(line) ? line : undefined
  )

/** Whether a Git directory looks like a bare repository: it is not named `.git`. */
export const looksBare = (gitDir: string): boolean => basename(gitDir) !== ".git"
