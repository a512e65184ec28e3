import { dirname, join } from "node:path"
import type { PlatformError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import { Effect } from "effect"
import { system } from "../../kernel/Actor.ts"
import { Git, type GitFailed } from "../../kernel/git/Git.ts"
import * as Repository from "../../kernel/git/Repository.ts"
import { now } from "../../kernel/Time.ts"
import * as Worker from "../../kernel/Worker.ts"
import { Storage } from "../../storage/Storage.ts"
import type { Manifest } from "./Manifest.ts"
import { change } from "./ManifestChange.ts"
import { repositoryOf } from "./Plan.ts"
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

/** Removes the files of a removed worktree for good. */
export const discard = (
  manifest: Manifest
): Effect.Effect<Manifest, PlatformError, Storage | FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const storage = yield* Storage
    const files = yield* FileSystem.FileSystem
    if (manifest.removal === undefined) return manifest
    yield* files.remove(trashPath(manifest), { recursive: true, force: true })
    const { trash: _, ...removal } = manifest.removal
    return yield* storage.write(change({ ...manifest, removal }, "worktree.discarded", system))
  })

/** Removes the files that have been kept long enough, now and then every hour. */
export const startSweeping = Effect.gen(function* () {
  const storage = yield* Storage
  const sweep = Effect.gen(function* () {
    const due = yield* storage.read(Effect.flatMap(now, WorktreeRepo.discardable))
    yield* Effect.forEach(due, (manifest) => Effect.ignoreLogged(discard(manifest)), { discard: true })
  })
  yield* Worker.start("worktree-trash", Effect.zipRight(sweep, Effect.sleep("1 hour")))
})
