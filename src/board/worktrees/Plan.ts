import type * as FileSystem from "@effect/platform/FileSystem"
import { Effect } from "effect"
import type { Issue } from "../../kernel/Failures.ts"
import { type Git, GitFailed } from "../../kernel/git/Git.ts"
import { isBranchName } from "../../kernel/git/RefName.ts"
import type { Remote } from "../../kernel/git/Remote.ts"
import * as Repository from "../../kernel/git/Repository.ts"
import type { Sql } from "../../storage/Sql.ts"
import { RepoUnusable } from "../repos/Errors.ts"
import { findRepo } from "../repos/Units.ts"
import type { TaskNotFound } from "../tasks/Errors.ts"
import { requireTask } from "../tasks/Units.ts"
import { BaseUnavailable, WorktreeExists, WorktreeRequestInvalid } from "./Errors.ts"
import { branchOf, type Manifest } from "./Manifest.ts"
import * as WorktreeRepo from "./WorktreeRepo.ts"

/** What a task wants: a branch of a repository, from a base. */
export interface Plan {
  readonly taskId: string
  readonly repo: string
  readonly path: string
  readonly branch: string
  readonly baseBranch: string
}

const invalid = (path: string, message: string) => new WorktreeRequestInvalid({ issues: [{ path, message }] })

/** What a task without a worktree asks for by its `git` field (decision Q27). */
export const planOf = (
  taskId: string
): Effect.Effect<Plan, TaskNotFound | WorktreeExists | WorktreeRequestInvalid, Sql> =>
  Effect.gen(function* () {
    const { task } = yield* requireTask(taskId)
    yield* refuseSecond(taskId)
    const name = task.git?.repo
    if (name === undefined) {
      return yield* invalid("git.repo", "The task names no repository: PATCH it with git.repo first")
    }
    const repo = yield* findRepo(name)
    if (repo === undefined) {
      return yield* invalid(
        "git.repo",
        "No repository of this name is configured: POST /config/repos adds one"
      )
    }
    const branch = task.git?.branch ?? branchOf(taskId)
    const baseBranch = task.git?.baseBranch ?? repo.defaultBranch
    yield* requireNames({ branch, baseBranch })
    return { taskId, repo: name, path: repo.path, branch, baseBranch }
  })

/** A task has one worktree at a time. */
export const refuseSecond = (taskId: string): Effect.Effect<void, WorktreeExists, Sql> =>
  Effect.flatMap(WorktreeRepo.liveOf(taskId), (live) =>
    live === undefined
      ? Effect.void
      : new WorktreeExists({ taskId, manifestId: live.id, lifecycleState: live.lifecycleState })
  )

const requireNames = ({ baseBranch, branch }: Pick<Plan, "branch" | "baseBranch">) => {
  const issues: Array<Issue> = []
  const message = "Git does not take this name for a branch"
  if (!isBranchName(branch)) issues.push({ path: "git.branch", message })
  if (!isBranchName(baseBranch)) issues.push({ path: "git.baseBranch", message })
  if (branch === baseBranch) {
    issues.push({
      path: "git.branch",
      message: "The branch of the worktree must be another one than its base"
    })
  }
  return issues.length === 0 ? Effect.void : new WorktreeRequestInvalid({ issues })
}

/** The repository of a plan. Git itself is asked whether it takes the names. */
export const openPlanned = (
  plan: Plan
): Effect.Effect<Repository.Repository, RepoUnusable | WorktreeRequestInvalid, Git | FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const repository = yield* Repository.open(plan.path)
    for (const field of ["branch", "baseBranch"] as const) {
      if (!(yield* Repository.acceptsBranch(plan[field]))) {
        return yield* invalid(`git.${field}`, "Git does not take this name for a branch")
      }
    }
    return repository
  }).pipe(Effect.catchTag("GitFailed", ({ reason }) => new RepoUnusable({ repo: plan.repo, reason })))

/** The repository of a worktree that exists: the one that it was made of, whatever the board calls it by now. */
export const repositoryOf = ({ commonDir, repositoryPath }: Manifest): Repository.Repository => ({
  path: repositoryPath,
  commonDir
})

/** A base as origin has it now. */
export interface FreshBase {
  readonly remote: Remote
  readonly commit: string
}

/** Asks origin for the base; it must be the origin that the worktree was made from. */
export const fetchBase = (
  repository: Repository.Repository,
  baseBranch: string,
  fingerprint?: string
): Effect.Effect<FreshBase, BaseUnavailable, Git | FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const remote = yield* Repository.origin(repository)
    if (fingerprint !== undefined && remote.fingerprint !== fingerprint) {
      return yield* new GitFailed({ command: "remote", reason: "origin is another one than it was" })
    }
    return { remote, commit: yield* Repository.fetch(repository, remote, baseBranch) }
  }).pipe(
    Effect.catchTag("GitFailed", ({ reason }) =>
      unavailable(baseBranch, reason, "Check that the server can reach origin, then try again.")
    )
  )

/** The base can't be had from origin. */
export const unavailable = (baseBranch: string, reason: string, remedy: string): BaseUnavailable =>
  new BaseUnavailable({ baseBranch, reason, remedy, blockers: [], overridable: false })
