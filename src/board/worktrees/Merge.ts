import { join } from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import { Effect } from "effect"
import { Git, GitFailed, reasonOf } from "../../kernel/git/Git.ts"
import * as Repository from "../../kernel/git/Repository.ts"
import { iso, now } from "../../kernel/Time.ts"
import { Storage } from "../../storage/Storage.ts"
import { requireRevision } from "../tasks/Units.ts"
import { active, ready } from "./Active.ts"
import { conflictsWith } from "./Conflicts.ts"
import { PushRejected, type WorktreeConflicts, WorktreeStateConflict } from "./Errors.ts"
import { WorktreeMerged } from "./Events.ts"
import { distanceOf, type Looks } from "./Inspection.ts"
import { leaseFrom, type Manifest } from "./Manifest.ts"
import { change, refusals, type WorktreeWrite } from "./ManifestChange.ts"
import { fetchBase, repositoryOf } from "./Plan.ts"
import type { OperationRefused } from "./Rebase.ts"
import { addWorkTree, conflictsAt, workTreeAt } from "./WorkTree.ts"
import { WorktreePlaces } from "./WorktreeSettings.ts"
import { reached } from "./WorktreeSteps.ts"

/** What went into the base at origin. */
export interface MergeOutcome {
  readonly manifest: Manifest
  readonly baseBranch: string
  readonly commit: string
  readonly fastForward: boolean
}

/** Merges a commit into the base in a detached work tree of its own, which is gone afterwards. */
const mergeApart = (manifest: Manifest, base: string, head: string) =>
  Effect.gen(function* () {
    const git = yield* Git
    const files = yield* FileSystem.FileSystem
    const { root } = yield* WorktreePlaces
    const repository = repositoryOf(manifest)
    const at = Repository.placeOf(repository)
    const path = join(root, `.merge-${manifest.id}`)
    const clear = Effect.zipRight(
      git.run({ at, args: ["worktree", "remove", "--force", "--force", path] }),
      files.remove(path, { recursive: true, force: true })
    )
    const merge = Effect.gen(function* () {
      const gitDir = yield* addWorkTree(repository, path, ["--detach", path, base])
      yield* reached("merge:added")
      const place = workTreeAt(path, gitDir, manifest.commonDir)
      const message = `Merge branch '${manifest.branch}' into ${manifest.baseBranch}`
      const { exitCode, stderr, stdout } = yield* git.run({
        at: place,
        args: ["merge", "--quiet", "--no-ff", "--no-edit", "--no-verify", "-m", message, head],
        timeout: "5 minutes"
      })
      if (exitCode === 0) return (yield* Repository.commitOf(place, "HEAD")) ?? head
      const conflicts = yield* conflictsAt(place)
      if (conflicts.length === 0) {
        return yield* new GitFailed({ command: "merge", exitCode, reason: reasonOf(stderr || stdout) })
      }
      return yield* conflictsWith(manifest.taskId, "merge", conflicts, base)
    })
    yield* clear
    return yield* Effect.ensuring(merge, Effect.ignoreLogged(clear))
  })

/**
 * Brings the commits of the branch into the base at origin: fast-forward when that is possible, else by a merge that is
 * made in a detached work tree. The push is never forced, and the primary checkout is not touched (rule 5).
 */
export const merge = (
  taskId: string,
  { by, precondition }: WorktreeWrite
): Effect.Effect<MergeOutcome, OperationRefused | WorktreeConflicts | PushRejected, Looks> =>
  Effect.gen(function* () {
    const storage = yield* Storage
    const { alone } = yield* WorktreePlaces
    const unchanged = requireRevision(taskId, { by, precondition })
    yield* storage.read(unchanged)
    const manifest = yield* active(taskId)
    const { head, place } = yield* ready(manifest, "merged")
    const repository = repositoryOf(manifest)
    const { baseBranch } = manifest
    const work = Effect.gen(function* () {
      const { commit: base, remote } = yield* fetchBase(repository, baseBranch, manifest.remoteFingerprint)
      if (yield* Repository.isAncestor(place, head, base)) {
        const reason = `${baseBranch} at origin has all commits of ${manifest.branch} already`
        return yield* new WorktreeStateConflict({ taskId, operation: "merge", reason })
      }
      const fastForward = yield* Repository.isAncestor(place, base, head)
      const commit = fastForward ? head : yield* mergeApart(manifest, base, head)
      yield* storage.read(unchanged)
      if ((yield* Repository.push(repository, remote, commit, baseBranch)) === "non-fast-forward") {
        const remedy = "Try again: they are then brought together with those of the branch first."
        return yield* new PushRejected({ branch: baseBranch, reason: "non-fast-forward", remedy })
      }
      yield* reached("merge:pushed")
      const at = yield* now
      const after: Manifest = {
        ...manifest,
        remoteFreshness: "fresh",
        fetchedAt: iso(at),
        lease: leaseFrom(at, by.name),
        ...(yield* distanceOf(manifest, place))
      }
      const stored = yield* storage.write(
        change(after, (changed) => new WorktreeMerged({ ...changed, commit, fastForward }), by)
      )
      return { manifest: stored, baseBranch, commit, fastForward }
    })
    return yield* alone(manifest.commonDir)(work)
  }).pipe(Effect.catchTags(refusals))
