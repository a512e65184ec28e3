import { join } from "node:path"
import type { PlatformError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import { Effect } from "effect"
import { Git, GitFailed } from "../../kernel/git/Git.ts"
import { ProcessInspection } from "./Holders.ts"
import type { Manifest } from "./Manifest.ts"
import { workTreeAt } from "./WorkTree.ts"

/** Where git keeps a rebase that is under way, in the Git directory of the worktree. */
const states = ["rebase-merge", "rebase-apply"]

/** What a git that was killed leaves there, and what no other git gets past. */
const locks = ["index.lock", "HEAD.lock"]

/**
 * Takes back the service's own rebase of a worktree, if one is under way. A rebase moves the branch last, so the branch
 * still names what was there before, however little git remembers of what it was doing. A git that is still at work
 * there, left by a server that died, is not interfered with: that is for the next try.
 */
export const abortRebase = (
  manifest: Manifest
): Effect.Effect<void, GitFailed | PlatformError, Git | FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const { branch, commonDir, gitDir, path } = manifest
    if (gitDir === undefined) return
    const files = yield* FileSystem.FileSystem
    const git = yield* Git
    const inspection = yield* ProcessInspection
    const { holders } = yield* inspection.below(path, true)
    if (holders.some(({ name }) => name === "git")) {
      const reason = "a git process is still at work in the worktree: try again when it has ended"
      return yield* new GitFailed({ command: "rebase", reason })
    }
    for (const lock of locks) yield* files.remove(join(gitDir, lock), { force: true })
    const begun = yield* Effect.filter(states, (state) => files.exists(join(gitDir, state)))
    if (begun.length === 0) return
    const at = workTreeAt(path, gitDir, commonDir)
    const { exitCode } = yield* git.run({ at, args: ["rebase", "--abort"] })
    if (exitCode === 0) return
    for (const state of begun) yield* files.remove(join(gitDir, state), { recursive: true, force: true })
    yield* git.text({ at, args: ["symbolic-ref", "HEAD", `refs/heads/${branch}`] })
    yield* git.text({ at, args: ["reset", "--quiet", "--hard"] })
  })
