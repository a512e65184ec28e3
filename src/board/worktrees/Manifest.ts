import { Schema } from "effect"
import { CommitId } from "../../kernel/git/RefName.ts"
import { optional } from "../../kernel/Optional.ts"
import { iso, Timestamp } from "../../kernel/Time.ts"

/**
 * Where a worktree stands. `preparing`, `rebasing` and `deleting` hold while git works; a server that dies in one of
 * them puts it right at its next start. `failed` is a creation that was taken back.
 */
export const LifecycleState = Schema.Literal(
  "preparing",
  "active",
  "rebasing",
  "deleting",
  "deleted",
  "failed"
)
export type LifecycleState = typeof LifecycleState.Type

/** Where the base commit came from. */
const BaseSource = Schema.Literal("origin", "stale-acknowledged", "legacy-adopted")

/** Who works in the worktree, and until when it is not a candidate for cleanup. Every operation on it renews it. */
const Lease = Schema.Struct({
  holder: Schema.String,
  acquiredAt: Timestamp,
  expiresAt: Timestamp
}).annotations({
  identifier: "WorktreeLease"
})

/** What is kept of a removal: who wanted it and why, and where the work is that was in the worktree. */
export const Removal = Schema.Struct({
  forced: Schema.Boolean,
  reason: optional(Schema.String),
  requestedBy: Schema.String,
  requestedAt: Timestamp,
  recoverable: optional(Schema.Struct({ ref: Schema.String, commit: CommitId })),
  pending: optional(
    Schema.Struct({ files: Schema.Int, bytes: Schema.Int }).annotations({
      description:
        "Files too large to be saved while the request waited: they lie in the trash, and the ref gets them before it is emptied"
    })
  ),
  trash: optional(Schema.Struct({ path: Schema.String, until: Timestamp }))
}).annotations({ identifier: "WorktreeRemoval" })
export type Removal = typeof Removal.Type

/** A pull request that was asked for: the branch is at origin, and `compareUrl` opens it where the host is known. */
export const PullRequest = Schema.Struct({
  base: Schema.String,
  branch: Schema.String,
  commit: CommitId,
  compareUrl: optional(Schema.String),
  requestedBy: Schema.String,
  requestedAt: Timestamp
}).annotations({ identifier: "PullRequestRequest" })

/** The evidence of a worktree: what it was made from, for whom, and what became of it. */
export const Manifest = Schema.Struct({
  schemaVersion: Schema.Literal("worktree-manifest/v1"),
  id: Schema.String,
  taskId: Schema.String,
  repo: Schema.String,
  repositoryPath: Schema.String,
  commonDir: Schema.String,
  path: Schema.String,
  gitDir: optional(Schema.String),
  branch: Schema.String,
  baseBranch: Schema.String,
  baseCommit: CommitId,
  baseSource: BaseSource,
  staleBaseReason: optional(Schema.String),
  remoteFreshness: Schema.Literal("fresh", "stale"),
  remoteFingerprint: optional(Schema.String),
  fetchedAt: optional(Timestamp),
  lifecycleState: LifecycleState,
  lease: Lease,
  ahead: Schema.Int.annotations({ description: "Commits of the branch that the base does not have" }),
  behind: Schema.Int.annotations({
    description: "Commits of the base, as last fetched, that the branch does not have"
  }),
  pullRequest: optional(PullRequest),
  removal: optional(Removal),
  createdAt: Timestamp,
  createdBy: Schema.String,
  updatedAt: Timestamp
}).annotations({ identifier: "WorktreeManifest" })
export type Manifest = typeof Manifest.Type

/** How long a worktree that nobody touches stays out of the list of cleanup candidates. */
const leaseDays = 7
const day = 86_400_000

/** A lease that begins now. */
export const leaseFrom = (at: number, holder: string): Manifest["lease"] => ({
  holder,
  acquiredAt: iso(at),
  expiresAt: iso(at + leaseDays * day)
})

/** True while the worktree holds its task and its path. */
export const isLive = ({ lifecycleState }: Manifest): boolean =>
  lifecycleState !== "deleted" && lifecycleState !== "failed"

/** When a number of days is over. */
export const daysAfter = (at: number, days: number): string => iso(at + days * day)

/** The branch of a task that names none. */
export const branchOf = (taskId: string): string => `muster/${taskId.replace(/[^A-Za-z0-9_-]/g, "-")}`

/** The name of a worktree's directory: the task for people, the end of the manifest's id for uniqueness. */
export const directoryOf = (taskId: string, manifestId: string): string =>
  `${taskId.replace(/[^A-Za-z0-9_-]/g, "-").slice(0, 60)}-${manifestId.slice(-8)}`
