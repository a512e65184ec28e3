import { Schema } from "effect"
import { TaskIdParam } from "../../board/tasks/Task.ts"
import { Backlink } from "../../board/tasks/TaskParts.ts"
import { Issue } from "../../kernel/Failures.ts"
import { nonBlank, strict } from "../../kernel/Text.ts"

/** The body of a dry run. */
export const CreationPreview = Schema.Struct({ taskId: TaskIdParam }).annotations({
  identifier: "TrackerCreationPreview",
  ...strict
})
export type CreationPreview = typeof CreationPreview.Type

/** The body of a create: the task, and who approved that it leaves the board. */
export const CreationRequest = Schema.Struct({
  taskId: TaskIdParam,
  approvedBy: nonBlank(200)
}).annotations({ identifier: "TrackerCreationRequest", ...strict })
export type CreationRequest = typeof CreationRequest.Type

/** The answer of a create: the item as it is noted on the task. */
export const TrackerCreation = Schema.Struct({
  externalWrite: Schema.Literal(true),
  taskId: Schema.String,
  profileId: Schema.String,
  backlink: Backlink,
  warnings: Schema.Array(Issue)
}).annotations({ identifier: "TrackerCreation" })
export type TrackerCreation = typeof TrackerCreation.Type

/**
 * The state of the create of an item. It is stored before the tracker is called, and after.
 *
 * - `creating`: the call is under way, or the process died during it.
 * - `unknown`: the call went out and nobody knows what came of it; the next create looks before it makes another.
 * - `failed`: the tracker has made nothing.
 * - `created`: the item is there and the task does not say so yet.
 * - `linked`: both.
 */
export type CreationState = "creating" | "unknown" | "failed" | "created" | "linked"

/** How long a call without an answer may still be under way at the tracker, in milliseconds. */
export const settleMs = 60_000

/** What the check of a profile against the latest schema found. */
export const ProfileReport = Schema.Struct({
  valid: Schema.Boolean,
  errors: Schema.Array(Issue),
  warnings: Schema.Array(Issue)
}).annotations({ identifier: "TrackerProfileReport" })
export type ProfileReport = typeof ProfileReport.Type
