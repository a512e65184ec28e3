import { join } from "node:path"
import type { PlatformError } from "@effect/platform/Error"
import type * as FileSystem from "@effect/platform/FileSystem"
import { Effect } from "effect"
import type { ActorContext } from "../../kernel/Actor.ts"
import type { Git, GitFailed } from "../../kernel/git/Git.ts"
import * as Repository from "../../kernel/git/Repository.ts"
import { newId } from "../../kernel/Ids.ts"
import type { RevisionConflict } from "../../kernel/Revision.ts"
import { iso, now } from "../../kernel/Time.ts"
import { Storage } from "../../storage/Storage.ts"
import type { RepoUnusable } from "../repos/Errors.ts"
import type { ClaimTakenOver, TaskFull, TaskNotFound } from "../tasks/Errors.ts"
import { requireRevision, setWorktreePath } from "../tasks/Units.ts"
import type { BaseUnavailable, GitRefused, WorktreeExists, WorktreeRequestInvalid } from "./Errors.ts"
import { WorktreeCreated, WorktreePrepared } from "./Events.ts"
import type { Looks } from "./Inspection.ts"
import { directoryOf, leaseFrom, type Manifest } from "./Manifest.ts"
import { change, record, refusals, type WorktreeWrite } from "./ManifestChange.ts"
import { fetchBase, openPlanned, type Plan, planOf, refuseSecond, unavailable } from "./Plan.ts"
import type { WorktreeRequest } from "./Requests.ts"
import { takeBack } from "./Settlement.ts"
import { addWorkTree, workTreeAt } from "./WorkTree.ts"
import * as WorktreeRepo from "./WorktreeRepo.ts"
import { WorktreePlaces } from "./WorktreeSettings.ts"
import { reached } from "./WorktreeSteps.ts"

/** Why a creation is refused. */
export type CreationRefused =
  | TaskNotFound
  | RevisionConflict
  | TaskFull
  | ClaimTakenOver
  | WorktreeExists
  | WorktreeRequestInvalid
  | RepoUnusable
  | BaseUnavailable
  | GitRefused

type Base = Pick<
  Manifest,
  "baseCommit" | "baseSource" | "remoteFreshness" | "remoteFingerprint" | "fetchedAt" | "staleBaseReason"
>

/** The exact commit to start from: origin's, or with an acknowledged reason the last one that is known (rule 1). */
const resolveBase = (plan: Plan, repository: Repository.Repository, request: WorktreeRequest, at: number) =>
  fetchBase(repository, plan.baseBranch).pipe(
    Effect.map(
      ({ commit, remote }): Base => ({
        baseCommit: commit,
        baseSource: "origin",
        remoteFreshness: "fresh",
        remoteFingerprint: remote.fingerprint,
        fetchedAt: iso(at)
      })
    ),
    Effect.catchTag("BaseUnavailable", (failure) =>
      Effect.gen(function* () {
        const reason = request.staleBaseAcknowledgement?.reason
        if (request.allowStaleBase !== true || reason === undefined) {
          const remedy =
            "Check that the server can reach origin, or start from the last known commit with allowStaleBase and staleBaseAcknowledgement.reason."
          return yield* unavailable(plan.baseBranch, failure.reason, remedy)
        }
        const place = Repository.placeOf(repository)
        const known =
          (yield* Repository.commitOf(place, Repository.trackingRef(plan.baseBranch))) ??
          (yield* Repository.commitOf(place, `refs/heads/${plan.baseBranch}`))
        if (known === undefined) {
          return yield* unavailable(
            plan.baseBranch,
            failure.reason,
            "The repository does not know it either."
          )
        }
        const remote = yield* Effect.option(Repository.origin(repository))
        const base: Base = {
          baseCommit: known,
          baseSource: "stale-acknowledged",
          staleBaseReason: reason,
          remoteFreshness: "stale",
          ...(remote._tag === "Some" ? { remoteFingerprint: remote.value.fingerprint } : {})
        }
        return base
      })
    )
  )

/**
 * How git makes the work tree: with a new branch at the base; with the branch that is there when it has commits of its
 * own, none of which is lost; or with that branch moved up to the base when it has none.
 */
const addArguments = (manifest: Manifest, repository: Repository.Repository) =>
  Effect.gen(function* () {
    const { baseCommit, branch, path } = manifest
    const place = Repository.placeOf(repository)
    const existing = yield* Repository.commitOf(place, `refs/heads/${branch}`)
    if (existing === undefined) return ["--no-track", "-b", branch, path, baseCommit]
    return (yield* Repository.isAncestor(place, existing, baseCommit))
      ? ["--no-track", "-B", branch, path, baseCommit]
      : [path, branch]
  })

const add = (
  manifest: Manifest,
  repository: Repository.Repository
): Effect.Effect<Manifest, GitFailed | PlatformError, Git | FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const how = yield* addArguments(manifest, repository)
    const gitDir = yield* addWorkTree(repository, manifest.path, how)
    const place = workTreeAt(manifest.path, gitDir, repository.commonDir)
    const { ahead, behind } = yield* Effect.all({
      ahead: Repository.count(place, `${manifest.baseCommit}..HEAD`),
      behind: Repository.count(place, `HEAD..${manifest.baseCommit}`)
    })
    return { ...manifest, gitDir, ahead, behind, lifecycleState: "active" }
  })

/**
 * Makes a worktree for a task: the base is fetched and resolved to a commit, the manifest is stored, then git works,
 * then the manifest is active and the task knows its path. What fails in between is taken back.
 */
export const create = (
  taskId: string,
  request: WorktreeRequest,
  { by, precondition }: WorktreeWrite
): Effect.Effect<Manifest, CreationRefused, Looks> =>
  Effect.gen(function* () {
    const storage = yield* Storage
    const { alone, root } = yield* WorktreePlaces
    const unchanged = requireRevision(taskId, { by, precondition })
    const plan = yield* storage.read(Effect.zipRight(unchanged, planOf(taskId)))
    const repository = yield* openPlanned(plan)
    const work = Effect.gen(function* () {
      const at = yield* now
      const base = yield* resolveBase(plan, repository, request, at)
      const id = yield* newId("worktree")
      const manifest: Manifest = {
        schemaVersion: "worktree-manifest/v1",
        id,
        taskId,
        repo: plan.repo,
        repositoryPath: repository.path,
        commonDir: repository.commonDir,
        path: join(root, directoryOf(taskId, id)),
        branch: plan.branch,
        baseBranch: plan.baseBranch,
        ...base,
        lifecycleState: "preparing",
        lease: leaseFrom(at, by.name),
        ahead: 0,
        behind: 0,
        createdAt: iso(at),
        createdBy: by.name,
        updatedAt: iso(at)
      }
      yield* storage.write(Effect.zipRight(unchanged, begin(manifest, by)))
      yield* reached("create:recorded")
      const finish = Effect.gen(function* () {
        const added = yield* add(manifest, repository)
        yield* reached("create:added")
        return yield* storage.write(activate(added, by))
      })
      return yield* Effect.tapErrorCause(finish, () => Effect.ignoreLogged(takeBack(manifest, by)))
    })
    return yield* alone(repository.commonDir)(work)
  }).pipe(Effect.catchTags(refusals))

const begin = (manifest: Manifest, by: ActorContext) =>
  Effect.gen(function* () {
    yield* planOf(manifest.taskId)
    yield* refuseSecond(manifest.taskId)
    yield* WorktreeRepo.insert(manifest)
    yield* record(manifest, (changed) => new WorktreePrepared(changed), by)
  })

const activate = (manifest: Manifest, by: ActorContext) =>
  Effect.gen(function* () {
    const { baseSource, path, remoteFreshness, taskId } = manifest
    yield* setWorktreePath(taskId, path, by)
    return yield* change(
      manifest,
      (changed) => new WorktreeCreated({ ...changed, baseSource, remoteFreshness }),
      by
    )
  })
