import * as FileSystem from "@effect/platform/FileSystem"
import { Effect } from "effect"
import type { ActorContext } from "../../kernel/Actor.ts"
import { deniedTo, type PermissionDenied } from "../../kernel/Authorization.ts"
import type { RevisionConflict } from "../../kernel/Revision.ts"
import { iso, now } from "../../kernel/Time.ts"
import { Storage } from "../../storage/Storage.ts"
import type { ClaimTakenOver, TaskFull, TaskNotFound } from "../tasks/Errors.ts"
import { requireRevision } from "../tasks/Units.ts"
import { active } from "./Active.ts"
import { type Blocker, blockersOf, type Evidence } from "./Cleanup.ts"
import { type GitRefused, WorktreeBlocked, type WorktreeNotFound, WorktreeRequestInvalid } from "./Errors.ts"
import { RemovalBegun, WorktreeRecovered } from "./Events.ts"
import { inspect, type Looks } from "./Inspection.ts"
import type { Manifest } from "./Manifest.ts"
import { change, refusals, type WorktreeWrite } from "./ManifestChange.ts"
import { fetchBase, repositoryOf } from "./Plan.ts"
import { finishRemoval } from "./RemovalSteps.ts"
import { trashPath } from "./Trash.ts"
import { changesOf, workTreeAt } from "./WorkTree.ts"
import { WorktreePlaces } from "./WorktreeSettings.ts"
import { reached } from "./WorktreeSteps.ts"

/** How a worktree is to be removed. */
export interface RemovalRequest {
  readonly force?: boolean | undefined
  readonly reason?: string | undefined
}

/** Why a removal is refused. */
export type RemovalRefused =
  | TaskNotFound
  | RevisionConflict
  | TaskFull
  | ClaimTakenOver
  | WorktreeNotFound
  | WorktreeBlocked
  | WorktreeRequestInvalid
  | GitRefused
  | PermissionDenied

const requireAdmin = (by: ActorContext): Effect.Effect<void, PermissionDenied> =>
  by.permissions.has("admin:manage") ? Effect.void : deniedTo(by, "admin:manage")

const blocked = (taskId: string, blockers: ReadonlyArray<Blocker>): WorktreeBlocked =>
  new WorktreeBlocked({
    taskId,
    operation: "removed",
    blockers,
    overridable: blockers.every(({ overridable }) => overridable)
  })

/** Commits that origin was not known to have may be there by now: it is asked before anybody is refused for them. */
const lookAgain = (evidence: Evidence): Effect.Effect<Evidence, never, Looks> =>
  Effect.gen(function* () {
    const { manifest } = evidence
    const { alone } = yield* WorktreePlaces
    const blockers = blockersOf(evidence)
    const open = blockers.some(({ code }) => code === "unpushed" || code === "unmerged")
    if (!open || blockers.some(({ overridable }) => !overridable)) return evidence
    const fetched = yield* Effect.option(
      alone(manifest.commonDir)(
        fetchBase(repositoryOf(manifest), manifest.baseBranch, manifest.remoteFingerprint)
      )
    )
    return fetched._tag === "None" ? evidence : yield* inspect(manifest)
  })

/** The permission comes before the blockers: who may not force learns nothing of what stands against it. */
const admit = (
  manifest: Manifest,
  { force = false }: RemovalRequest,
  by: ActorContext
): Effect.Effect<void, PermissionDenied | WorktreeBlocked, Looks> =>
  Effect.gen(function* () {
    const evidence = yield* inspect(manifest)
    if (!evidence.findings.inspectionComplete) yield* requireAdmin(by)
    const blockers = blockersOf(force ? evidence : yield* lookAgain(evidence))
    const standing = force ? blockers.filter(({ overridable }) => !overridable) : blockers
    if (standing.length > 0) return yield* blocked(manifest.taskId, standing)
  })

/** Puts the files back where they were: nothing was done to them yet. */
const putBack = (manifest: Manifest, by: ActorContext) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const storage = yield* Storage
    const { gitDir } = manifest
    if (gitDir === undefined || !(yield* files.exists(gitDir))) return
    if (yield* files.exists(trashPath(manifest))) yield* files.rename(trashPath(manifest), manifest.path)
    yield* storage.write(change(manifest, (changed) => new WorktreeRecovered(changed), by))
  })

/** What came into the worktree between the look and the move stands against a removal that is not forced. */
const refuseNewWork = (manifest: Manifest, force: boolean) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const trash = trashPath(manifest)
    if (force || manifest.gitDir === undefined || !(yield* files.exists(trash))) return
    const { dirty, untracked } = yield* changesOf(workTreeAt(trash, manifest.gitDir, manifest.commonDir))
    const uncommitted = dirty.length + untracked.length
    if (uncommitted === 0) return
    const detail = `${uncommitted} files were changed while the worktree was being removed`
    return yield* blocked(manifest.taskId, [{ code: "dirty", overridable: true, detail }])
  })

/**
 * Removes a worktree. Its branch stays; its files are moved aside in one step before anything else happens to them, and
 * what no commit holds is saved first.
 */
export const remove = (
  taskId: string,
  request: RemovalRequest,
  { by, precondition }: WorktreeWrite
): Effect.Effect<Manifest, RemovalRefused, Looks> =>
  Effect.gen(function* () {
    const storage = yield* Storage
    const files = yield* FileSystem.FileSystem
    const { alone } = yield* WorktreePlaces
    const { force = false, reason } = request
    if (force) {
      yield* requireAdmin(by)
      if (reason === undefined) {
        const message = "A forced removal needs a reason: it is kept in the manifest"
        return yield* new WorktreeRequestInvalid({ issues: [{ path: "reason", message }] })
      }
    }
    const unchanged = requireRevision(taskId, { by, precondition })
    yield* storage.read(unchanged)
    const manifest = yield* active(taskId)
    yield* admit(manifest, request, by)
    const removal = {
      forced: force,
      ...(reason === undefined ? {} : { reason }),
      requestedBy: by.name,
      requestedAt: iso(yield* now)
    }
    const deleting: Manifest = { ...manifest, lifecycleState: "deleting", removal }
    yield* storage.write(
      Effect.zipRight(
        unchanged,
        change(deleting, (changed) => new RemovalBegun({ ...changed, forced: force }), by)
      )
    )
    yield* reached("remove:recorded")
    const finish = Effect.gen(function* () {
      if (yield* files.exists(manifest.path)) yield* files.rename(manifest.path, trashPath(manifest))
      yield* reached("remove:moved")
      yield* refuseNewWork(manifest, force)
      return yield* finishRemoval(deleting, by)
    }).pipe(Effect.tapError(() => Effect.ignoreLogged(putBack(manifest, by))))
    return yield* alone(manifest.commonDir)(finish)
  }).pipe(Effect.catchTags(refusals))
