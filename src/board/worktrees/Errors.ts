import { Schema } from "effect"
import { Issue } from "../../kernel/Failures.ts"
import { Blocker } from "./Cleanup.ts"

/** The task has no worktree, and never had one. */
export class WorktreeNotFound extends Schema.TaggedError<WorktreeNotFound>()("WorktreeNotFound", {
  taskId: Schema.String
}) {}

/** The task has a worktree already. */
export class WorktreeExists extends Schema.TaggedError<WorktreeExists>()("WorktreeExists", {
  taskId: Schema.String,
  manifestId: Schema.String,
  lifecycleState: Schema.String
}) {}

/** The task does not say which worktree it needs, or what it says can't be. */
export class WorktreeRequestInvalid extends Schema.TaggedError<WorktreeRequestInvalid>()(
  "WorktreeRequestInvalid",
  { issues: Schema.Array(Issue) }
) {}

/** Origin could not be asked for the base (rule 1). */
export class BaseUnavailable extends Schema.TaggedError<BaseUnavailable>()("BaseUnavailable", {
  baseBranch: Schema.String,
  reason: Schema.String,
  remedy: Schema.String,
  blockers: Schema.Array(Blocker),
  overridable: Schema.Boolean
}) {}

/** Something stands against the operation (rule 3). */
export class WorktreeBlocked extends Schema.TaggedError<WorktreeBlocked>()("WorktreeBlocked", {
  taskId: Schema.String,
  operation: Schema.String,
  blockers: Schema.Array(Blocker),
  overridable: Schema.Boolean
}) {}

/** What is to be adopted is not what the request says, or not fit for it (rule 4). */
export class WorktreeNotAdoptable extends Schema.TaggedError<WorktreeNotAdoptable>()("WorktreeNotAdoptable", {
  taskId: Schema.String,
  requirement: Schema.Literal(
    "registered-path",
    "registered-branch",
    "git-directory",
    "remote-fingerprint",
    "unique-allocation",
    "ancestor-base"
  ),
  reason: Schema.String
}) {}

/**
 * The commits of the branch and those of the base change the same lines. Nothing was changed. Whoever works in the
 * worktree brings them together by a rebase of their own onto the same commit.
 */
export class WorktreeConflicts extends Schema.TaggedError<WorktreeConflicts>()("WorktreeConflicts", {
  taskId: Schema.String,
  operation: Schema.Literal("rebase", "merge"),
  files: Schema.Array(Schema.String),
  onto: Schema.String,
  remedy: Schema.String
}) {}

/** Origin has moved on: a push would lose commits, and it is never forced. */
export class PushRejected extends Schema.TaggedError<PushRejected>()("PushRejected", {
  branch: Schema.String,
  reason: Schema.Literal("non-fast-forward"),
  remedy: Schema.String
}) {}

/** The operation does not fit the branch as it is. */
export class WorktreeStateConflict extends Schema.TaggedError<WorktreeStateConflict>()(
  "WorktreeStateConflict",
  { taskId: Schema.String, operation: Schema.String, reason: Schema.String }
) {}

/** Git refused, or could not be run. */
export class GitRefused extends Schema.TaggedError<GitRefused>()("GitRefused", {
  command: Schema.String,
  reason: Schema.String
}) {}

/** No editor can be opened for this request. */
export class OpenUnavailable extends Schema.TaggedError<OpenUnavailable>()("OpenUnavailable", {
  reason: Schema.String
}) {}
