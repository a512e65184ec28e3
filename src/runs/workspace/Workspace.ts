import type * as FileSystem from "@effect/platform/FileSystem"
import { Effect } from "effect"
import { findRepo } from "../../board/repos/Units.ts"
import type { StoredTask } from "../../board/tasks/Task.ts"
import type { Manifest } from "../../board/worktrees/Manifest.ts"
import { liveWorktreeOf } from "../../board/worktrees/Units.ts"
import { fitOf, workTreeAt } from "../../board/worktrees/WorkTree.ts"
import { type Git, GitFailed, type Place } from "../../kernel/git/Git.ts"
import { open } from "../../kernel/git/Repository.ts"
import type { Sql } from "../../storage/Sql.ts"

/** Where a run works: the worktree of its task, else the repository that the task names, else nowhere (ruling 24). */
export type Workspace =
  | { readonly _tag: "Worktree"; readonly path: string; readonly manifest: Manifest }
  | { readonly _tag: "Repository"; readonly path: string }
  | { readonly _tag: "None" }

/** The workspace of a task as it stands now. */
export const workspaceOf = ({ git, id }: StoredTask): Effect.Effect<Workspace, never, Sql> =>
  Effect.gen(function* () {
    const worktree = yield* liveWorktreeOf(id)
    if (worktree !== undefined) return { _tag: "Worktree", path: worktree.path, manifest: worktree }
    const repo = git?.repo === undefined ? undefined : yield* findRepo(git.repo)
    return repo === undefined ? { _tag: "None" } : { _tag: "Repository", path: repo.path }
  })

/** The path that a run works in; null without a workspace. */
export const pathOf = (workspace: Workspace): string | null =>
  workspace._tag === "None" ? null : workspace.path

/** The place of git's calls in a workspace; none without one. What is not the worktree any more is no workspace. */
export const placeIn = (
  workspace: Workspace
): Effect.Effect<Place | undefined, GitFailed, Git | FileSystem.FileSystem> => {
  switch (workspace._tag) {
    case "None":
      return Effect.succeed(undefined)
    case "Repository":
      return Effect.map(open(workspace.path), ({ commonDir, path }) => workTreeAt(path, commonDir, commonDir))
    case "Worktree":
      return Effect.flatMap(fitOf(workspace.manifest), (fit) => {
        if (fit._tag === "Same") return Effect.succeed(fit.place)
        const reason = fit._tag === "Absent" ? "The directory of the worktree is gone" : fit.reason
        return new GitFailed({ command: "status", reason })
      })
  }
}
