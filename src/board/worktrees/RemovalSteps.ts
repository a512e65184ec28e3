import type { PlatformError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import { Effect } from "effect"
import type { ActorContext } from "../../kernel/Actor.ts"
import type { Git, GitFailed } from "../../kernel/git/Git.ts"
import { iso, now } from "../../kernel/Time.ts"
import { Storage } from "../../storage/Storage.ts"
import type { TaskFull, TaskNotFound } from "../tasks/Errors.ts"
import { setWorktreePath } from "../tasks/Units.ts"
import { WorktreeDeleted, WorktreeSaved } from "./Events.ts"
import { daysAfter, type Manifest, type Removal } from "./Manifest.ts"
import { change } from "./ManifestChange.ts"
import { save } from "./Snapshot.ts"
import { discard, trashPath, unregister } from "./Trash.ts"
import { changesOf, workTreeAt } from "./WorkTree.ts"
import { WorktreePlaces } from "./WorktreeSettings.ts"
import { reached } from "./WorktreeSteps.ts"

/** What a removal needs once its files are moved. */
export type RemovalNeeds = Git | FileSystem.FileSystem | Storage | WorktreePlaces

/** What is known of the files that were moved: whether there is anything in them that a commit does not hold. */
interface Kept extends Pick<Removal, "recoverable" | "pending"> {
  readonly keepFiles: boolean
}

const saveMoved = (manifest: Manifest): Effect.Effect<Kept, GitFailed | PlatformError, RemovalNeeds> =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const trash = trashPath(manifest)
    const { gitDir, removal } = manifest
    if (!(yield* files.exists(trash))) return { keepFiles: false }
    // A crash may have come after git forgot the worktree: then its work is saved already.
    if (gitDir === undefined || !(yield* files.exists(gitDir))) {
      return {
        ...(removal?.recoverable && { recoverable: removal.recoverable }),
        ...(removal?.pending && { pending: removal.pending }),
        keepFiles: true
      }
    }
    const place = workTreeAt(trash, gitDir, manifest.commonDir)
    const changes = yield* changesOf(place)
    const { dirty, ignored, nestedRepositories, untracked } = changes
    const uncommitted = dirty.length + untracked.length > 0
    const saved =
      removal?.forced === true || uncommitted
        ? yield* save(place, manifest.id, manifest.branch, changes)
        : undefined
    return {
      ...saved,
      keepFiles: removal?.forced === true || uncommitted || ignored > 0 || nestedRepositories > 0
    }
  })

/**
 * Ends a removal whose files were moved: saves what no commit holds, makes git forget the worktree, and frees the task.
 * Each step can be repeated. The files are kept for a while when they hold anything that a commit does not.
 */
export const finishRemoval = (
  manifest: Manifest,
  by: ActorContext
): Effect.Effect<Manifest, GitFailed | PlatformError | TaskNotFound | TaskFull, RemovalNeeds> =>
  Effect.gen(function* () {
    const storage = yield* Storage
    const { trashDays } = yield* WorktreePlaces
    const at = yield* now
    const { keepFiles, ...kept } = yield* saveMoved(manifest)
    const asked = manifest.removal ?? { forced: false, requestedBy: by.name, requestedAt: iso(at) }
    const saved: Manifest = { ...manifest, removal: { ...asked, ...kept } }
    if (kept.recoverable !== undefined)
      yield* storage.write(change(saved, (changed) => new WorktreeSaved(changed), by))
    yield* reached("remove:saved")
    yield* unregister(manifest)
    yield* reached("remove:unregistered")
    const trash = { path: trashPath(manifest), until: daysAfter(at, keepFiles ? trashDays : 0) }
    const removed: Manifest = {
      ...saved,
      lifecycleState: "deleted",
      removal: { ...asked, ...kept, trash }
    }
    const stored = yield* storage.write(
      Effect.gen(function* () {
        yield* setWorktreePath(manifest.taskId, undefined, by)
        return yield* change(
          removed,
          (changed) => new WorktreeDeleted({ ...changed, forced: asked.forced }),
          by
        )
      })
    )
    return keepFiles ? stored : yield* discard(stored)
  })
