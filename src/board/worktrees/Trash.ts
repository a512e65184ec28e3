import { dirname, join } from "node:path"
import type { PlatformError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import { Cause, Effect } from "effect"
import { system } from "../../kernel/Actor.ts"
import { Git, type GitFailed } from "../../kernel/git/Git.ts"
import * as Repository from "../../kernel/git/Repository.ts"
import { now } from "../../kernel/Time.ts"
import * as Worker from "../../kernel/Worker.ts"
import { Storage } from "../../storage/Storage.ts"
import { WorktreeDiscarded, WorktreeKept } from "./Events.ts"
import { daysAfter, type Manifest } from "./Manifest.ts"
import { change } from "./ManifestChange.ts"
import { repositoryOf } from "./Plan.ts"
import { saveRest } from "./SaveRest.ts"
import * as WorktreeRepo from "./WorktreeRepo.ts"

/** Where the files of a removed worktree lie: beside it, so that moving them is one step that can't be half done. */
export const trashPath = ({ id, path }: Manifest): string => join(dirname(path), `.trash-${id}`)

/** Takes a worktree whose files are elsewhere off the list of its repository. One that is not on it is what was wanted. */
export const unregister = (manifest: Manifest): Effect.Effect<void, GitFailed, Git> =>
  Effect.gen(function* () {
    const git = yield* Git
    const at = Repository.placeOf(repositoryOf(manifest))
    const listed = yield* git.text({ at, args: ["worktree", "list", "--porcelain", "-z"], reads: true })
    if (!listed.split("\0").includes(`worktree ${manifest.path}`)) return
    yield* git.text({ at, args: ["worktree", "remove", "--force", "--force", manifest.path] })
  })

/** Removes the files of a removed worktree for good, once a commit has all of them that it is to have. */
export const discard = (
  manifest: Manifest
): Effect.Effect<Manifest, GitFailed | PlatformError, Git | Storage | FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const storage = yield* Storage
    const files = yield* FileSystem.FileSystem
    const whole = yield* saveRest(manifest, trashPath(manifest))
    if (whole.removal === undefined) return whole
    yield* files.remove(trashPath(whole), { recursive: true, force: true })
    const { trash: _, ...removal } = whole.removal
    return yield* storage.write(
      change({ ...whole, removal }, (changed) => new WorktreeDiscarded(changed), system)
    )
  })

/** What can't be discarded today is kept, and tried again tomorrow: others wait behind it. */
const postpone = (manifest: Manifest) =>
  Effect.gen(function* () {
    const storage = yield* Storage
    const { removal } = manifest
    if (removal?.trash === undefined) return
    const trash = { ...removal.trash, until: daysAfter(yield* now, 1) }
    yield* storage.write(
      change({ ...manifest, removal: { ...removal, trash } }, (changed) => new WorktreeKept(changed), system)
    )
  })

const discardOrKeep = (manifest: Manifest) =>
  Effect.catchAllCause(discard(manifest), (cause) =>
    // The server stops: that is no reason to wait for another day.
    Cause.isInterruptedOnly(cause)
      ? Effect.interrupt
      : Effect.zipRight(
          Effect.logWarning(
            `The files of the removed worktree ${manifest.id} are kept for another day`,
            cause
          ),
          postpone(manifest)
        )
  )

/** Removes the files that have been kept long enough, now and then every hour. */
export const startSweeping = Effect.gen(function* () {
  const storage = yield* Storage
  const sweep = Effect.gen(function* () {
    const due = yield* storage.read(Effect.flatMap(now, WorktreeRepo.discardable))
    yield* Effect.forEach(due, discardOrKeep, { discard: true })
  })
  yield* Worker.start("worktree-trash", Effect.zipRight(sweep, Effect.sleep("1 hour")))
})
