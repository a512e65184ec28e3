import { join } from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import { Effect } from "effect"
import { type FileName, listOf } from "../../kernel/git/FileName.ts"
import { Git, type GitCall, GitFailed, type Place } from "../../kernel/git/Git.ts"
import { commitOf } from "../../kernel/git/Repository.ts"
import type { Removal } from "./Manifest.ts"
import { divide, measure } from "./Measure.ts"
import type { Changes } from "./WorkTree.ts"

/** Where the work of a removed worktree can be found in its repository, and what of it is still to come there. */
export type Saved = Pick<Removal, "pending"> & { readonly recoverable: NonNullable<Removal["recoverable"]> }

/** The refs that keep what was in a removed worktree. */
const trashOf = (manifestId: string): string => `refs/muster/trash/${manifestId}`

/**
 * Takes files into an index as they are on disk, byte for byte, whatever the attributes of the work tree say. A name
 * at which nothing lies is taken out.
 */
export const takeIn = (
  place: Place,
  index: string,
  names: ReadonlyArray<FileName>,
  timeout: GitCall["timeout"] & {} = "2 minutes"
) =>
  Effect.flatMap(Git, (git) =>
    git.text({
      at: place,
      args: ["update-index", "--add", "--remove", "--replace", "-z", "--stdin"],
      index,
      input: listOf(names),
      conversion: "raw",
      timeout
    })
  )

/**
 * Saves all that a worktree holds as a commit below `refs/muster/trash`: HEAD as its parent, the index as a second one
 * when it differs, changed and untracked files as they are on disk. Ignored files, repositories inside, pipes and
 * sockets are not in it; they stay with the files, which are kept beside it. So do, for the time being, files that
 * would take long to save: `SaveRest.ts` brings them in. Without changes it is HEAD itself.
 */
export const save = (place: Place, manifestId: string, branch: string, changes: Changes) =>
  Effect.gen(function* () {
    const git = yield* Git
    const files = yield* FileSystem.FileSystem
    const head = yield* commitOf(place, "HEAD")
    if (head === undefined)
      return yield* new GitFailed({ command: "rev-parse", reason: "HEAD has no commit" })
    const line = (call: Omit<GitCall, "at">) =>
      Effect.map(git.text({ ...call, at: place }), (output) => output.trim())
    const commitTree = (tree: string, message: string, parents: ReadonlyArray<string>) =>
      line({ args: ["commit-tree", tree, ...parents.flatMap((parent) => ["-p", parent]), "-m", message] })

    const saveFiles = (names: ReadonlyArray<FileName>) =>
      Effect.gen(function* () {
        const index = join(place.gitDir, "muster-snapshot-index")
        yield* files.remove(index, { force: true })
        yield* git.text({ at: place, args: ["read-tree", head], index })
        yield* takeIn(place, index, names)
        const tree = yield* line({ args: ["write-tree"], index })
        // An index with conflicts has no tree; the files show them.
        const staged = changes.staged ? yield* Effect.option(line({ args: ["write-tree"] })) : undefined
        const parents =
          staged?._tag === "Some" ? [head, yield* commitTree(staged.value, "The index", [head])] : [head]
        return yield* commitTree(tree, `Work on ${branch} that was not committed`, parents)
      })

    const changed = [...new Set([...changes.dirty, ...changes.untracked])]
    const { first, later } = divide(yield* measure(place.directory, changed))
    const commit = changed.length === 0 ? head : yield* saveFiles(first)
    const pending =
      later.length === 0
        ? {}
        : { pending: { files: later.length, bytes: later.reduce((sum, { bytes = 0 }) => sum + bytes, 0) } }
    const existing = yield* line({
      args: ["for-each-ref", "--format=%(objectname) %(refname)", trashOf(manifestId)],
      reads: true
    })
    const taken = existing.split("\n").filter((known) => known !== "")
    // A removal that is finished after a crash finds what it saved before.
    const again = taken.find((known) => known.startsWith(`${commit} `))
    if (again !== undefined)
      return { recoverable: { ref: again.slice(commit.length + 1), commit }, ...pending }
    const ref = `${trashOf(manifestId)}/${taken.length + 1}`
    yield* line({ args: ["update-ref", "--create-reflog", ref, commit, "0".repeat(commit.length)] })
    return { recoverable: { ref, commit }, ...pending }
  })
