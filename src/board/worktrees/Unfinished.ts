import { join } from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import { Effect } from "effect"

/** What git can be in the middle of in a work tree, and how whoever began it ends it. */
export interface Unfinished {
  readonly operation: string
  readonly end: string
}

/** What git keeps in the Git directory of a worktree while it waits for somebody. */
const marks: ReadonlyArray<readonly [string, Unfinished]> = [
  ["rebase-merge", { operation: "rebase", end: "git rebase --continue or git rebase --abort" }],
  ["rebase-apply/applying", { operation: "am", end: "git am --continue or git am --abort" }],
  ["rebase-apply", { operation: "rebase", end: "git rebase --continue or git rebase --abort" }],
  ["MERGE_HEAD", { operation: "merge", end: "git commit or git merge --abort" }],
  [
    "CHERRY_PICK_HEAD",
    { operation: "cherry-pick", end: "git cherry-pick --continue or git cherry-pick --abort" }
  ],
  ["REVERT_HEAD", { operation: "revert", end: "git revert --continue or git revert --abort" }],
  ["BISECT_LOG", { operation: "bisect", end: "git bisect reset" }]
]

/** The operation of git that somebody began in a worktree and has not ended. */
export const unfinishedIn = (
  gitDir: string
): Effect.Effect<Unfinished | undefined, never, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    for (const [name, unfinished] of marks) {
      if (yield* Effect.orElseSucceed(files.exists(join(gitDir, name)), () => false)) return unfinished
    }
    return undefined
  })
