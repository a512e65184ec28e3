import type { CleanupPreview } from "../../board/worktrees/Cleanup.ts"
import type { Manifest, Removal } from "../../board/worktrees/Manifest.ts"
import type { WorktreeStatus } from "../../board/worktrees/Requests.ts"
import { oneLine } from "../../kernel/Foreign.ts"
import type { Paint } from "./Paint.ts"
import { table } from "./Table.ts"

/** A worktree as it is named in a sentence: its branch, and whose it is. */
export const worktreeName = ({ branch, taskId }: Manifest, paint: Paint): string =>
  `${paint.bold(oneLine(branch))} of ${oneLine(taskId)}`

const removalLines = (removal: Removal | undefined): ReadonlyArray<string> => {
  if (removal === undefined) return []
  const { pending, recoverable, trash } = removal
  return [
    ...(recoverable === undefined ? [] : [`its work is at ${recoverable.ref} (${recoverable.commit})`]),
    ...(pending === undefined ? [] : [`${pending.files} large files come there later`]),
    ...(trash === undefined ? [] : [`its files lie in ${oneLine(trash.path)} until ${trash.until}`])
  ]
}

/** What stands against a removal, and whether an administrator may go past it. */
const blockerLines = ({ blockers }: CleanupPreview): ReadonlyArray<string> =>
  blockers.map(
    ({ code, detail, overridable }) =>
      `  - ${oneLine(detail)} (${code}${overridable ? "" : ", whoever asks"})`
  )

/** A worktree: where it lies, how it stands to its base, and what its removal would meet. */
export const worktreeText = ({ cleanupPreview, manifest }: WorktreeStatus, paint: Paint): string => {
  const { ahead, baseBranch, baseCommit, behind, lifecycleState, path, pullRequest, remoteFreshness } =
    manifest
  const field = (name: string, value: string) => `${paint.dim(`${name}:`.padEnd(9))}${oneLine(value)}`
  const head = `${worktreeName(manifest, paint)} is ${lifecycleState}`
  if (lifecycleState === "deleted" || lifecycleState === "failed") {
    return [head, ...removalLines(manifest.removal)].join("\n")
  }
  const compare = pullRequest?.compareUrl
  return [
    head,
    field("path", path),
    field(
      "base",
      `${baseBranch} at ${baseCommit}${remoteFreshness === "stale" ? ", which may be out of date" : ""}`
    ),
    field("commits", `${ahead} ahead, ${behind} behind`),
    ...(compare === undefined ? [] : [field("wanted", compare)]),
    ...(cleanupPreview.removable
      ? ["Nothing stands against its removal."]
      : ["Against its removal:", ...blockerLines(cleanupPreview)])
  ].join("\n")
}

/** A worktree that was removed, and where its work is. */
export const removedText = (manifest: Manifest, removal: Removal, paint: Paint): string =>
  [`${paint.green("Removed")} ${worktreeName(manifest, paint)}`, ...removalLines(removal)].join("\n")

/** The worktrees that nobody has touched for long. */
export const candidateTable = (
  found: ReadonlyArray<{ readonly manifest: Manifest; readonly cleanupPreview: CleanupPreview }>,
  paint: Paint
): string =>
  found.length === 0
    ? "No worktree was left alone for a week."
    : table(
        ["TASK", "BRANCH", "SINCE", "AGAINST ITS REMOVAL"],
        found.map(({ cleanupPreview, manifest }) => [
          manifest.taskId,
          manifest.branch,
          manifest.lease.expiresAt,
          cleanupPreview.blockers.map(({ code }) => code).join(", ") || "nothing"
        ]),
        paint
      )
