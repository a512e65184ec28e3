import { dirname, join } from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import { Effect } from "effect"
import { system } from "../../kernel/Actor.ts"
import { recordsOf } from "../../kernel/git/FileName.ts"
import { Git, type GitCall, type Place } from "../../kernel/git/Git.ts"
import { commitOf } from "../../kernel/git/Repository.ts"
import { Storage } from "../../storage/Storage.ts"
import { WorktreeSaved } from "./Events.ts"
import type { Manifest } from "./Manifest.ts"
import { change } from "./ManifestChange.ts"
import { measure } from "./Measure.ts"
import { takeIn } from "./Snapshot.ts"

/** How long git may work on files that nobody waits for. */
const patience = "3 hours"

/**
 * Brings the files that a removal left for later into the commit that it named, by a commit on top of it: what differs
 * from that commit on disk is what is missing in it. Nothing is done twice when it is done again.
 */
export const saveRest = (manifest: Manifest, trash: string) =>
  Effect.gen(function* () {
    const { removal } = manifest
    const files = yield* FileSystem.FileSystem
    if (removal?.pending === undefined || removal.recoverable === undefined) return manifest
    if (!(yield* files.exists(trash))) return manifest
    const git = yield* Git
    const storage = yield* Storage
    const { commonDir } = manifest
    const at: Place = { directory: trash, gitDir: commonDir, commonDir, workTree: trash }
    const index = join(dirname(trash), `.index-${manifest.id}`)
    const { ref } = removal.recoverable
    const before = (yield* commitOf(at, ref)) ?? removal.recoverable.commit
    const line = (call: Omit<GitCall, "at" | "index">) =>
      Effect.map(git.text({ ...call, at, index }), (output) => output.trim())

    const saveNow = Effect.gen(function* () {
      yield* line({ args: ["read-tree", before] })
      const different = yield* git.bytes({
        at,
        args: ["ls-files", "-z", "--modified", "--others", "--exclude-standard"],
        index,
        conversion: "raw",
        timeout: patience
      })
      const names = [...new Set(recordsOf(different))].filter((name) => !name.endsWith("/"))
      const present = (yield* measure(trash, names)).filter(({ bytes }) => bytes !== undefined)
      if (present.length === 0) return before
      yield* takeIn(
        at,
        index,
        present.map(({ name }) => name),
        patience
      )
      const tree = yield* line({ args: ["write-tree"] })
      const message = `Large files of ${manifest.branch} that were not committed`
      const commit = yield* line({ args: ["commit-tree", tree, "-p", before, "-m", message] })
      yield* line({ args: ["update-ref", ref, commit, before] })
      return commit
    })
    const commit = yield* Effect.ensuring(saveNow, Effect.ignoreLogged(files.remove(index, { force: true })))
    const { pending: _, ...rest } = removal
    const after: Manifest = { ...manifest, removal: { ...rest, recoverable: { ref, commit } } }
    return yield* storage.write(change(after, (changed) => new WorktreeSaved(changed), system))
  })
