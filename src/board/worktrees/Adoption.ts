import * as FileSystem from "@effect/platform/FileSystem"
import { Effect, Either } from "effect"
import { Git } from "../../kernel/git/Git.ts"
import { originOf } from "../../kernel/git/Remote.ts"
import * as Repository from "../../kernel/git/Repository.ts"
import { newId } from "../../kernel/Ids.ts"
import type { RevisionConflict } from "../../kernel/Revision.ts"
import { iso, now } from "../../kernel/Time.ts"
import { Storage } from "../../storage/Storage.ts"
import type { RepoUnusable } from "../repos/Errors.ts"
import type { ClaimTakenOver, TaskFull, TaskNotFound } from "../tasks/Errors.ts"
import { requireRevision, setWorktreePath } from "../tasks/Units.ts"
import {
  type BaseUnavailable,
  type GitRefused,
  type WorktreeExists,
  WorktreeNotAdoptable,
  type WorktreeRequestInvalid
} from "./Errors.ts"
import { WorktreeAdopted } from "./Events.ts"
import { distanceOf, type Looks } from "./Inspection.ts"
import { leaseFrom, type Manifest } from "./Manifest.ts"
import { record, refusals, type WorktreeWrite } from "./ManifestChange.ts"
import { fetchBase, openPlanned, planOf, refuseSecond } from "./Plan.ts"
import type { Adoption } from "./Requests.ts"
import { gitDirOf, workTreeAt } from "./WorkTree.ts"
import * as WorktreeRepo from "./WorktreeRepo.ts"
import { WorktreePlaces } from "./WorktreeSettings.ts"

/** Why an adoption is refused. */
export type AdoptionRefused =
  | TaskNotFound
  | RevisionConflict
  | TaskFull
  | ClaimTakenOver
  | WorktreeExists
  | WorktreeRequestInvalid
  | WorktreeNotAdoptable
  | RepoUnusable
  | BaseUnavailable
  | GitRefused

/** What `git worktree list` says of the worktree at exactly this path; the first of the list is the checkout itself. */
const registeredBranch = (repository: Repository.Repository, path: string) =>
  Effect.gen(function* () {
    const git = yield* Git
    const at = Repository.placeOf(repository)
    const listed = yield* git.text({ at, args: ["worktree", "list", "--porcelain", "-z"], reads: true })
    const blocks = listed.split("\0\0").slice(1)
    const fields = blocks.map((block) => block.split("\0")).find(([head]) => head === `worktree ${path}`)
    return fields && { branch: fields.find((field) => field.startsWith("branch "))?.slice("branch ".length) }
  })

/**
 * Takes over a worktree that was made by hand. Everything that is said of it must be exactly so (rule 4); nothing in it
 * is changed.
 */
export const adopt = (
  taskId: string,
  { branch, path }: Adoption,
  { by, precondition }: WorktreeWrite
): Effect.Effect<Manifest, AdoptionRefused, Looks> =>
  Effect.gen(function* () {
    const storage = yield* Storage
    const git = yield* Git
    const files = yield* FileSystem.FileSystem
    const { alone } = yield* WorktreePlaces
    const refuse = (requirement: WorktreeNotAdoptable["requirement"], reason: string) =>
      new WorktreeNotAdoptable({ taskId, requirement, reason })
    const requireUnallocated = Effect.flatMap(WorktreeRepo.liveAt(path), (taken) =>
      taken === undefined
        ? Effect.void
        : refuse("unique-allocation", `it belongs to task ${taken.taskId} already`)
    )

    const unchanged = requireRevision(taskId, { by, precondition })
    const plan = yield* storage.read(Effect.zipRight(unchanged, planOf(taskId)))
    const repository = yield* openPlanned(plan)
    const registered = yield* registeredBranch(repository, path)
    if (registered === undefined) {
      return yield* refuse(
        "registered-path",
        `git worktree list of ${plan.repo} does not have this exact path`
      )
    }
    if (registered.branch !== `refs/heads/${branch}`) {
      return yield* refuse("registered-branch", "another branch is checked out there")
    }
    const real = yield* Effect.orElseSucceed(files.realPath(path), () => undefined)
    const gitDir =
      real === path
        ? yield* Effect.orElseSucceed(gitDirOf(path, repository.commonDir), () => undefined)
        : undefined
    if (gitDir === undefined) {
      return yield* refuse("git-directory", "its Git directory does not belong to the repository of the task")
    }
    const place = workTreeAt(path, gitDir, repository.commonDir)
    const remote = yield* Effect.option(Repository.origin(repository))
    const own = originOf(yield* git.entries(place), repository.path)
    if (remote._tag === "None" || Either.isLeft(own) || own.right.fingerprint !== remote.value.fingerprint) {
      return yield* refuse("remote-fingerprint", "its origin is not the origin of the repository")
    }
    yield* storage.read(requireUnallocated)

    const work = Effect.gen(function* () {
      const base = yield* fetchBase(repository, plan.baseBranch, remote.value.fingerprint)
      if (!(yield* Repository.isAncestor(place, base.commit, "HEAD"))) {
        return yield* refuse(
          "ancestor-base",
          `it does not contain ${plan.baseBranch} as origin has it now: rebase it first`
        )
      }
      const at = yield* now
      const manifest: Manifest = {
        schemaVersion: "worktree-manifest/v1",
        id: yield* newId("worktree"),
        taskId,
        repo: plan.repo,
        repositoryPath: repository.path,
        commonDir: repository.commonDir,
        path,
        gitDir,
        branch,
        baseBranch: plan.baseBranch,
        baseCommit: base.commit,
        baseSource: "legacy-adopted",
        remoteFreshness: "fresh",
        remoteFingerprint: base.remote.fingerprint,
        fetchedAt: iso(at),
        lifecycleState: "active",
        lease: leaseFrom(at, by.name),
        ...(yield* distanceOf({ baseBranch: plan.baseBranch, baseCommit: base.commit }, place)),
        createdAt: iso(at),
        createdBy: by.name,
        updatedAt: iso(at)
      }
      const unit = Effect.gen(function* () {
        yield* unchanged
        yield* refuseSecond(taskId)
        yield* requireUnallocated
        yield* WorktreeRepo.insert(manifest)
        yield* setWorktreePath(taskId, path, by)
        yield* record(manifest, (changed) => new WorktreeAdopted(changed), by)
      })
      yield* storage.write(unit)
      return manifest
    })
    return yield* alone(repository.commonDir)(work)
  }).pipe(Effect.catchTag("GitFailed", refusals.GitFailed))
