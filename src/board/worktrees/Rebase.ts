import { Effect } from "effect"
import { Git, GitFailed, reasonOf } from "../../kernel/git/Git.ts"
import { commitOf, isAncestor } from "../../kernel/git/Repository.ts"
import type { RevisionConflict } from "../../kernel/Revision.ts"
import { iso, now } from "../../kernel/Time.ts"
import { Storage } from "../../storage/Storage.ts"
import type { ClaimTakenOver, TaskFull, TaskNotFound } from "../tasks/Errors.ts"
import { requireRevision } from "../tasks/Units.ts"
import { abortRebase } from "./AbortRebase.ts"
import { active, ready } from "./Active.ts"
import { conflictsWith } from "./Conflicts.ts"
import {
  type BaseUnavailable,
  type GitRefused,
  type WorktreeBlocked,
  type WorktreeConflicts,
  type WorktreeNotFound,
  WorktreeStateConflict
} from "./Errors.ts"
import { RebaseBegun, WorktreeRebased, WorktreeRecovered } from "./Events.ts"
import { distanceOf, type Looks } from "./Inspection.ts"
import { leaseFrom, type Manifest } from "./Manifest.ts"
import { change, refusals, type WorktreeWrite } from "./ManifestChange.ts"
import { fetchBase, repositoryOf } from "./Plan.ts"
import type { RebaseRequest } from "./Requests.ts"
import { conflictsAt } from "./WorkTree.ts"
import { WorktreePlaces } from "./WorktreeSettings.ts"
import { reached } from "./WorktreeSteps.ts"

/** Why an operation on a worktree is refused. */
export type OperationRefused =
  | TaskNotFound
  | RevisionConflict
  | TaskFull
  | ClaimTakenOver
  | WorktreeNotFound
  | WorktreeBlocked
  | WorktreeStateConflict
  | BaseUnavailable
  | GitRefused

/** A branch before and after a rebase. */
export interface RebaseOutcome {
  readonly manifest: Manifest
  readonly rebased: boolean
  readonly onto: string
  readonly previousHead: string
  readonly head: string
}

/**
 * Fetches the base and rebases the branch onto an exact commit of it. With conflicts the rebase is taken back, so that
 * the branch and the files are as they were.
 */
export const rebase = (
  taskId: string,
  request: RebaseRequest,
  { by, precondition }: WorktreeWrite
): Effect.Effect<RebaseOutcome, OperationRefused | WorktreeConflicts, Looks> =>
  Effect.gen(function* () {
    const storage = yield* Storage
    const git = yield* Git
    const { alone } = yield* WorktreePlaces
    const unchanged = requireRevision(taskId, { by, precondition })
    yield* storage.read(unchanged)
    const manifest = yield* active(taskId)
    const { head: previousHead, place } = yield* ready(manifest, "rebased")
    const base = yield* alone(manifest.commonDir)(
      fetchBase(repositoryOf(manifest), manifest.baseBranch, manifest.remoteFingerprint)
    )
    const onto = request.onto ?? base.commit
    const offBase = `${manifest.baseBranch} at origin does not contain this commit`
    if (!(yield* isAncestor(place, onto, base.commit))) {
      return yield* new WorktreeStateConflict({ taskId, operation: "rebase", reason: offBase })
    }
    const at = yield* now
    const fresh: Manifest = {
      ...manifest,
      baseCommit: onto,
      baseSource: manifest.baseSource === "legacy-adopted" ? "legacy-adopted" : "origin",
      remoteFreshness: "fresh",
      remoteFingerprint: base.remote.fingerprint,
      fetchedAt: iso(at),
      lease: leaseFrom(at, by.name)
    }
    const store = (after: Manifest, rebased: boolean) =>
      storage.write(change(after, (changed) => new WorktreeRebased({ ...changed, onto, rebased }), by))
    if (yield* isAncestor(place, onto, previousHead)) {
      yield* storage.read(unchanged)
      const stored = yield* store({ ...fresh, ...(yield* distanceOf(fresh, place)) }, false)
      return { manifest: stored, rebased: false, onto, previousHead, head: previousHead }
    }

    yield* storage.write(
      Effect.zipRight(
        unchanged,
        change({ ...manifest, lifecycleState: "rebasing" }, (changed) => new RebaseBegun(changed), by)
      )
    )
    yield* reached("rebase:recorded")
    const work = Effect.gen(function* () {
      const { exitCode, stderr } = yield* git.run({
        at: place,
        args: ["rebase", "--quiet", "--no-autostash", "--no-autosquash", onto],
        timeout: "5 minutes"
      })
      yield* reached("rebase:done")
      if (exitCode !== 0) {
        const files = yield* conflictsAt(place)
        if (files.length > 0) return yield* conflictsWith(taskId, "rebase", files, onto)
        return yield* new GitFailed({ command: "rebase", exitCode, reason: reasonOf(stderr) })
      }
      const head = (yield* commitOf(place, "HEAD")) ?? previousHead
      const stored = yield* store({ ...fresh, ...(yield* distanceOf(fresh, place)) }, true)
      return { manifest: stored, rebased: true, onto, previousHead, head }
    })
    const takeBack = Effect.zipRight(
      abortRebase(manifest),
      storage.write(change(manifest, (changed) => new WorktreeRecovered(changed), by))
    )
    return yield* Effect.tapErrorCause(work, () => Effect.ignoreLogged(takeBack))
  }).pipe(Effect.catchTags(refusals))
