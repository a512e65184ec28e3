import { Schema } from "effect"
import { BranchName, CommitId } from "../../kernel/git/RefName.ts"
import { kept } from "../../kernel/Incoming.ts"
import { Limit } from "../../kernel/Paging.ts"
import { everyIssue, Flag, nonBlank, text } from "../../kernel/Text.ts"
import { CleanupPreview } from "./Cleanup.ts"
import { Manifest, PullRequest, Removal } from "./Manifest.ts"

const Reason = nonBlank(2_000)

/** The body of a creation: what to do when origin can't be reached. */
export const WorktreeRequest = Schema.Struct({
  allowStaleBase: Schema.optionalWith(Schema.Boolean, { exact: true }),
  staleBaseAcknowledgement: Schema.optionalWith(Schema.Struct({ reason: Reason }), { exact: true })
}).annotations({ identifier: "WorktreeRequest", ...everyIssue })
export type WorktreeRequest = typeof WorktreeRequest.Type

/** The body of an adoption: exactly what `git worktree list` says. */
export const Adoption = Schema.Struct({
  path: text(1_000, kept("It has to be the path that git knows, as it is.")),
  branch: BranchName
}).annotations({
  identifier: "WorktreeAdoption",
  ...everyIssue
})
export type Adoption = typeof Adoption.Type

/** The query of a removal. */
export const RemovalQuery = Schema.Struct({
  force: Schema.optional(Flag),
  reason: Schema.optional(Reason.annotations({ description: "Why it is forced; kept in the manifest" }))
})

/** The body of a rebase: the commit to rebase onto, or nothing for the base as origin has it now. */
export const RebaseRequest = Schema.Struct({
  onto: Schema.optionalWith(CommitId, { exact: true })
}).annotations({ identifier: "WorktreeRebase", ...everyIssue })
export type RebaseRequest = typeof RebaseRequest.Type

/** The body of a pull request; a base may only repeat the one of the manifest. */
export const PullRequestDraft = Schema.Struct({
  base: Schema.optionalWith(BranchName, { exact: true })
}).annotations({ identifier: "PullRequestDraft", ...everyIssue })
export type PullRequestDraft = typeof PullRequestDraft.Type

/** Which candidates to list. */
export const CandidateFilter = Schema.Struct({ limit: Schema.optional(Limit) })

const facts = { manifest: Manifest, cleanupPreview: CleanupPreview }

/** A worktree as it is now. */
export const WorktreeStatus = Schema.Struct(facts).annotations({ identifier: "WorktreeStatus" })
export type WorktreeStatus = typeof WorktreeStatus.Type

/** A worktree after a rebase; nothing was to be done when `rebased` is false. */
export const Rebased = Schema.Struct({
  ...facts,
  rebased: Schema.Boolean,
  onto: CommitId,
  previousHead: CommitId,
  head: CommitId
}).annotations({ identifier: "WorktreeRebased" })

/** A worktree after its commits went into the base at origin. */
export const Merged = Schema.Struct({
  ...facts,
  baseBranch: Schema.String,
  commit: CommitId,
  fastForward: Schema.Boolean
}).annotations({ identifier: "WorktreeMerged" })

/** A removed worktree, and where its work can be found. */
export const Removed = Schema.Struct({ manifest: Manifest, removal: Removal }).annotations({
  identifier: "WorktreeRemoved"
})

/** A worktree that was opened. */
export const Opened = Schema.Struct({ opened: Schema.Literal(true), path: Schema.String }).annotations({
  identifier: "WorktreeOpened"
})

/** A pull request that was asked for. */
export const PullRequested = Schema.Struct({ manifest: Manifest, pullRequest: PullRequest }).annotations({
  identifier: "WorktreePullRequested"
})
