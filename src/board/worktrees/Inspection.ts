import { join } from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import { Effect } from "effect"
import type { Git, GitFailed, Place } from "../../kernel/git/Git.ts"
import { commitOf, count, trackingRef } from "../../kernel/git/Repository.ts"
import { now } from "../../kernel/Time.ts"
import { Storage } from "../../storage/Storage.ts"
import { AttemptLeases } from "./AttemptLeases.ts"
import { type CleanupPreview, type Evidence, type Findings, previewOf } from "./Cleanup.ts"
import { ProcessInspection } from "./Holders.ts"
import type { Manifest } from "./Manifest.ts"
import { unfinishedIn } from "./Unfinished.ts"
import { branchAt, changesOf, fitOf } from "./WorkTree.ts"
import { WorktreePlaces } from "./WorktreeSettings.ts"

/** What looking at a worktree needs. */
export type Looks = Git | FileSystem.FileSystem | Storage | AttemptLeases | WorktreePlaces

/** How a branch stands to its base as origin last had it. */
export interface Distance {
  readonly ahead: number
  readonly behind: number
}

const nothing: Findings = {
  present: false,
  head: null,
  branch: null,
  dirty: 0,
  untracked: 0,
  ignored: 0,
  nestedRepositories: 0,
  unpushed: 0,
  unmerged: 0,
  unfinished: null,
  locked: false,
  holders: [],
  inspectionComplete: true
}

/** How many commits lie between a worktree and its base. */
export const distanceOf = (
  { baseBranch, baseCommit }: Pick<Manifest, "baseBranch" | "baseCommit">,
  place: Place
): Effect.Effect<Distance, GitFailed, Git> =>
  Effect.gen(function* () {
    const base = (yield* commitOf(place, trackingRef(baseBranch))) ?? baseCommit
    return { ahead: yield* count(place, `${base}..HEAD`), behind: yield* count(place, `HEAD..${base}`) }
  })

const lookInside = (manifest: Manifest, place: Place) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const changes = yield* changesOf(place)
    const tracked = yield* commitOf(place, trackingRef(manifest.baseBranch))
    const base = tracked === undefined ? [] : [tracked]
    const unfinished = yield* unfinishedIn(place.gitDir)
    const [head, branch, unpushed, unmerged, distance, locked] = yield* Effect.all(
      [
        commitOf(place, "HEAD"),
        branchAt(place),
        count(place, "HEAD", "--not", "--remotes=origin", manifest.baseCommit),
        count(place, "HEAD", "--not", manifest.baseCommit, ...base),
        distanceOf(manifest, place),
        Effect.orElseSucceed(files.exists(join(place.gitDir, "locked")), () => true)
      ],
      { concurrency: 3 }
    )
    return {
      distance,
      end: unfinished?.end,
      findings: {
        head: head ?? null,
        branch,
        dirty: changes.dirty.length,
        untracked: changes.untracked.length,
        ignored: changes.ignored,
        nestedRepositories: changes.nestedRepositories,
        unpushed,
        unmerged,
        unfinished: unfinished?.operation ?? null,
        locked
      }
    }
  })

/** All that can be known of a worktree now, and its manifest with the distance to the base as it is. */
export const inspect = (manifest: Manifest): Effect.Effect<Evidence, never, Looks> =>
  Effect.gen(function* () {
    const { root } = yield* WorktreePlaces
    const leases = yield* AttemptLeases
    const storage = yield* Storage
    const attempt = yield* storage.read(leases.of(manifest.taskId))
    const base = { manifest, attempt, at: yield* now }
    const fit = yield* fitOf(manifest)
    if (fit._tag === "Absent") return { ...base, findings: nothing }
    const inspection = yield* ProcessInspection
    const { complete, holders } = yield* inspection.below(manifest.path, manifest.path.startsWith(`${root}/`))
    const seen: Findings = { ...nothing, present: true, holders, inspectionComplete: complete }
    if (fit._tag === "Different") return { ...base, findings: seen, mismatch: fit.reason }
    return yield* Effect.match(lookInside(manifest, fit.place), {
      onFailure: (error) => ({ ...base, findings: seen, unreadable: error.message }),
      onSuccess: ({ distance, end, findings }) => ({
        ...base,
        end,
        manifest: { ...manifest, ...distance },
        findings: { ...seen, ...findings }
      })
    })
  })

/** A worktree as it is answered: its manifest, and what its removal would meet. */
export const statusOf = (
  manifest: Manifest
): Effect.Effect<{ readonly manifest: Manifest; readonly cleanupPreview: CleanupPreview }, never, Looks> =>
  Effect.map(inspect(manifest), (evidence) => ({
    manifest: evidence.manifest,
    cleanupPreview: previewOf(evidence)
  }))
