import { Schema } from "effect"
import { CommitId } from "../../kernel/git/RefName.ts"
import { Event } from "../../storage/events/Event.ts"
import { LifecycleState, Manifest } from "./Manifest.ts"

/** What every event of a worktree says: whose task it is of, and where it stands since. */
const worktreeChange = { taskId: Schema.String, lifecycleState: LifecycleState }

/** Whom an event of a worktree is about, for those who make one. */
export interface Changed {
  readonly resourceId: string
  readonly taskId: string
  readonly lifecycleState: LifecycleState
}

/** Its creation has begun; nothing of it is on disk yet. */
export class WorktreePrepared extends Event("worktree.prepared", "worktree", worktreeChange) {}

export class WorktreeCreated extends Event("worktree.created", "worktree", {
  ...worktreeChange,
  baseSource: Manifest.fields.baseSource,
  remoteFreshness: Manifest.fields.remoteFreshness
}) {}

/** Its creation was taken back. */
export class WorktreeFailed extends Event("worktree.failed", "worktree", worktreeChange) {}

export class WorktreeAdopted extends Event("worktree.adopted", "worktree", worktreeChange) {}

/** What was begun with it was taken back, and it is as it was. */
export class WorktreeRecovered extends Event("worktree.recovered", "worktree", worktreeChange) {}

export class RebaseBegun extends Event("worktree.rebasing", "worktree", worktreeChange) {}

/** Its branch stands on this commit of the base; it did so before when nothing was rebased. */
export class WorktreeRebased extends Event("worktree.rebased", "worktree", {
  ...worktreeChange,
  onto: CommitId,
  rebased: Schema.Boolean
}) {}

/** The base at origin is at this commit, which has those of the branch. */
export class WorktreeMerged extends Event("worktree.merged", "worktree", {
  ...worktreeChange,
  commit: CommitId,
  fastForward: Schema.Boolean
}) {}

/** The branch is at origin, at this commit. */
export class PullRequestRequested extends Event("worktree.pull-request-requested", "worktree", {
  ...worktreeChange,
  commit: CommitId
}) {}

export class RemovalBegun extends Event("worktree.deleting", "worktree", {
  ...worktreeChange,
  forced: Schema.Boolean
}) {}

/** A commit holds what a removal found in it. */
export class WorktreeSaved extends Event("worktree.saved", "worktree", worktreeChange) {}

/** It is off the list of its repository; its files may lie in the trash. */
export class WorktreeDeleted extends Event("worktree.deleted", "worktree", {
  ...worktreeChange,
  forced: Schema.Boolean
}) {}

/** Its files stay in the trash for another day. */
export class WorktreeKept extends Event("worktree.kept", "worktree", worktreeChange) {}

/** Its files are gone from the trash. */
export class WorktreeDiscarded extends Event("worktree.discarded", "worktree", worktreeChange) {}
