import { join } from "node:path"
import type { PlatformError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import { Effect } from "effect"
import { type ActorContext, system } from "../../kernel/Actor.ts"
import { Git, type GitFailed } from "../../kernel/git/Git.ts"
import { placeOf } from "../../kernel/git/Repository.ts"
import { iso, now } from "../../kernel/Time.ts"
import { Storage } from "../../storage/Storage.ts"
import type { TaskFull, TaskNotFound } from "../tasks/Errors.ts"
import { abortRebase } from "./AbortRebase.ts"
import { WorktreeFailed, WorktreeRecovered } from "./Events.ts"
import type { Looks } from "./Inspection.ts"
import { daysAfter, type Manifest } from "./Manifest.ts"
import { change } from "./ManifestChange.ts"
import { repositoryOf } from "./Plan.ts"
import { finishRemoval } from "./RemovalSteps.ts"
import { trashPath, unregister } from "./Trash.ts"
import * as WorktreeRepo from "./WorktreeRepo.ts"
import { WorktreePlaces } from "./WorktreeSettings.ts"

/*
 * What a server does at its start with the worktrees that it was working on when it last stopped. Everything here can
 * be done again: a second death in the middle of it is as good as the first.
 */

type Trouble = GitFailed | PlatformError | TaskNotFound | TaskFull

/** Takes a creation back. Nobody was told of the path yet; the files, should there be any, are kept for a while. */
export const takeBack = (
  manifest: Manifest,
  by: ActorContext
): Effect.Effect<Manifest, GitFailed | PlatformError, Looks> =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const storage = yield* Storage
    const { trashDays } = yield* WorktreePlaces
    const trash = trashPath(manifest)
    if (yield* files.exists(manifest.path)) yield* files.rename(manifest.path, trash)
    yield* unregister(manifest)
    const at = yield* now
    const removal = {
      forced: false,
      requestedBy: by.name,
      requestedAt: iso(at),
      ...((yield* files.exists(trash)) ? { trash: { path: trash, until: daysAfter(at, trashDays) } } : {})
    }
    return yield* storage.write(
      change({ ...manifest, lifecycleState: "failed", removal }, (changed) => new WorktreeFailed(changed), by)
    )
  })

/** A rebase that was cut off is aborted, which restores the branch; the worktree is then as it was. */
const settleRebase = (manifest: Manifest): Effect.Effect<Manifest, GitFailed | PlatformError, Looks> =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const storage = yield* Storage
    if (yield* files.exists(manifest.path)) yield* abortRebase(manifest)
    return yield* storage.write(
      change({ ...manifest, lifecycleState: "active" }, (changed) => new WorktreeRecovered(changed), system)
    )
  })

/** A removal that had not moved the files has not begun; one that had is finished. */
const settleRemoval = (manifest: Manifest): Effect.Effect<Manifest, Trouble, Looks> =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const storage = yield* Storage
    const moved = yield* files.exists(trashPath(manifest))
    if (moved || !(yield* files.exists(manifest.path))) return yield* finishRemoval(manifest, system)
    const { removal: _, ...before } = manifest
    return yield* storage.write(
      change({ ...before, lifecycleState: "active" }, (changed) => new WorktreeRecovered(changed), system)
    )
  })

/** Brings a worktree that something was being done to into a state of rest. */
export const settle = (manifest: Manifest): Effect.Effect<Manifest, Trouble, Looks> => {
  switch (manifest.lifecycleState) {
    case "preparing":
      return takeBack(manifest, system)
    case "rebasing":
      return settleRebase(manifest)
    case "deleting":
      return settleRemoval(manifest)
    default:
      return Effect.succeed(manifest)
  }
}

/** Removes the work trees of merges that were cut off: what they made is at origin, or nowhere. */
const removeMergeTrees = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  const git = yield* Git
  const storage = yield* Storage
  const { root } = yield* WorktreePlaces
  const left = (yield* files.readDirectory(root)).filter((name) => name.startsWith(".merge-"))
  if (left.length === 0) return
  const live = yield* storage.read(WorktreeRepo.allLive)
  for (const manifest of live) {
    const name = `.merge-${manifest.id}`
    if (!left.includes(name)) continue
    const at = placeOf(repositoryOf(manifest))
    yield* git.run({ at, args: ["worktree", "remove", "--force", "--force", join(root, name)] })
  }
  for (const name of left) yield* files.remove(join(root, name), { recursive: true, force: true })
})

/** Settles everything that was left open, before the first request. What can't be settled yet is told and kept. */
export const settleAll: Effect.Effect<void, never, Looks> = Effect.gen(function* () {
  const storage = yield* Storage
  const open = yield* storage.read(WorktreeRepo.unsettled)
  for (const manifest of open) {
    yield* Effect.matchCauseEffect(settle(manifest), {
      onSuccess: ({ lifecycleState }) =>
        Effect.logInfo(`Worktree ${manifest.id} was ${manifest.lifecycleState} and is ${lifecycleState} now`),
      onFailure: (cause) =>
        Effect.logWarning(`Worktree ${manifest.id} is still ${manifest.lifecycleState}`, cause)
    })
  }
  yield* Effect.ignoreLogged(removeMergeTrees)
})
