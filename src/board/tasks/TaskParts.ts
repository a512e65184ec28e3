import { Schema } from "effect"
import { openly } from "../../kernel/Incoming.ts"
import { optional } from "../../kernel/Optional.ts"
import { integer, listOf, nonBlank, strict, text } from "../../kernel/Text.ts"
import { Timestamp } from "../../kernel/Time.ts"

/** A note on a task (spec 1-core, Comment). It has a revision of its own, raised by each edit. */
export const Comment = Schema.Struct({
  id: Schema.String,
  text: Schema.String,
  author: Schema.String,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  revision: Schema.Int,
  createdBy: Schema.String,
  updatedBy: Schema.String
}).annotations({ identifier: "Comment" })
export type Comment = typeof Comment.Type

/** A stretch of time spent on a task. `endTime` is absent while its timer runs; then `durationMs` is 0. */
export const TimeEntry = Schema.Struct({
  id: Schema.String,
  startTime: Timestamp,
  endTime: Schema.optionalWith(Timestamp, { exact: true }),
  durationMs: Schema.Int,
  description: Schema.optionalWith(Schema.String, { exact: true }),
  manual: Schema.Boolean
}).annotations({ identifier: "TimeEntry" })
export type TimeEntry = typeof TimeEntry.Type

/** The time spent on a task: its entries, their sum in milliseconds, and the running timer if there is one. */
export const TimeTracking = Schema.Struct({
  entries: Schema.Array(TimeEntry),
  totalMs: Schema.Int,
  isRunning: Schema.Boolean,
  activeEntryId: Schema.optionalWith(Schema.String, { exact: true })
}).annotations({ identifier: "TimeTracking" })
export type TimeTracking = typeof TimeTracking.Type

/** One line of a task's progress log. */
export const ProgressEntry = Schema.Struct({
  text: Schema.String,
  section: Schema.optionalWith(Schema.String, { exact: true }),
  createdAt: Timestamp,
  createdBy: Schema.String
}).annotations({ identifier: "ProgressEntry" })

/** How far a task is: a text that is set as a whole, and the entries appended to it. */
export const Progress = Schema.Struct({
  content: Schema.String,
  entries: Schema.Array(ProgressEntry),
  updatedAt: Timestamp
}).annotations({ identifier: "Progress" })
export type Progress = typeof Progress.Type

/** The four review scores, each from 0 to 10. */
export const reviewFields = ["security", "reliability", "performance", "accessibility"] as const

const Score = Schema.optionalWith(integer(0, 10), { exact: true })

export const ReviewScores = Schema.Struct({
  security: Score,
  reliability: Score,
  performance: Score,
  accessibility: Score
}).annotations({ identifier: "ReviewScores" })
export type ReviewScores = typeof ReviewScores.Type

/** What runs on a task may do. Unknown fields and values are refused: a policy that is misread is no policy. */
/** Whether a path stays inside the directory that it is taken from. */
const isInside = (path: string): boolean =>
  !path.startsWith("/") && !path.includes("\\") && !path.split("/").includes("..")

const FileExecution = Schema.Literal("standard-approval", "human-approval", "deny")

/**
 * Something that the finished work must have brought (ruling 54). The service looks for a `file` at its path inside the
 * workspace; for any other kind the agent shows an artifact or a verification with this id or name.
 */
export const ExpectedOutput = Schema.Struct({
  id: nonBlank(200),
  kind: nonBlank(100),
  path: optional(nonBlank(1_000)),
  description: optional(text(2_000)),
  required: Schema.Boolean
})
  .pipe(
    Schema.filter(({ kind, path }) =>
      kind !== "file" || (path !== undefined && isInside(path))
        ? undefined
        : { path: ["path"], message: "Expected a path inside the workspace: relative, and without .." }
    )
  )
  .annotations({ identifier: "ExpectedOutput", ...strict })
export type ExpectedOutput = typeof ExpectedOutput.Type

export const ExecutionPolicy = Schema.Struct({
  commitPolicy: Schema.optionalWith(Schema.Literal("forbidden", "allowed", "required"), { exact: true }),
  allowedSideEffects: Schema.optionalWith(
    listOf(Schema.Struct({ kind: nonBlank(100), scope: nonBlank(500) }).annotations(strict), 100),
    { exact: true }
  ),
  expectedOutputs: optional(listOf(ExpectedOutput, 100)),
  fileExecution: Schema.optionalWith(
    Schema.Struct({
      agentCreated: Schema.optionalWith(FileExecution, { exact: true }),
      commandCreated: Schema.optionalWith(FileExecution, { exact: true }),
      toolCreated: Schema.optionalWith(FileExecution, { exact: true })
    }).annotations(strict),
    { exact: true }
  )
}).annotations({ identifier: "ExecutionPolicy", ...strict })
export type ExecutionPolicy = typeof ExecutionPolicy.Type

/** `owner/name` of a repository at a code host. */
const Repository = Schema.String.pipe(
  Schema.pattern(/^[A-Za-z0-9_.-]{1,100}\/[A-Za-z0-9_.-]{1,100}$/, { message: () => "Expected owner/name" }),
  openly()
)
const ItemNumber = integer(1, 2_147_483_647)

const externalIdentity = {
  provider: Schema.String.pipe(
    Schema.pattern(/^[a-z][a-z0-9-]{0,49}$/, { message: () => "Expected a provider name such as github" }),
    openly()
  ),
  repository: Repository,
  number: ItemNumber,
  url: Schema.optionalWith(text(2_000), { exact: true })
}

/** What the trackers write beside the identity of an item that they made: a client can neither set nor change it. */
const backlink = {
  id: Schema.String,
  key: Schema.String,
  profileId: Schema.String,
  createdAt: Timestamp,
  approvedBy: Schema.String
}

/** An item that a tracker made for a task, and who agreed to it (decision Q64). */
export const Backlink = Schema.Struct({ ...externalIdentity, ...backlink }).annotations({
  identifier: "TrackerBacklink"
})
export type Backlink = typeof Backlink.Type

/** An item of an external tracker that this task stands for. Two tasks must not claim the same one. */
export const ExternalWorkItemInput = Schema.Struct(externalIdentity).annotations({
  identifier: "ExternalWorkItemInput"
})
export type ExternalWorkItemInput = typeof ExternalWorkItemInput.Type

export const ExternalWorkItem = Schema.extend(
  Schema.Struct(externalIdentity),
  Schema.partialWith(Schema.Struct(backlink), { exact: true })
).annotations({ identifier: "ExternalWorkItem" })
export type ExternalWorkItem = typeof ExternalWorkItem.Type

/** Where the work on a task lives. `worktreePath` is set by the worktree endpoints alone. */
const gitFields = {
  repo: Schema.optionalWith(nonBlank(200), { exact: true }),
  branch: Schema.optionalWith(nonBlank(255), { exact: true }),
  baseBranch: Schema.optionalWith(nonBlank(255), { exact: true }),
  pr: Schema.optionalWith(Schema.Struct({ repository: Repository, number: ItemNumber }), { exact: true })
}
export const GitContextInput = Schema.Struct(gitFields)
export const GitContext = Schema.Struct({
  ...gitFields,
  worktreePath: Schema.optionalWith(Schema.String, { exact: true })
}).annotations({ identifier: "GitContext" })

/** A condition that the finished work must meet. */
export const AcceptanceCriterion = Schema.Struct({ text: nonBlank(2_000), done: Schema.Boolean }).annotations(
  {
    identifier: "AcceptanceCriterion"
  }
)

/** A status that the task has had. */
export const StatusChangeRecord = Schema.Struct({
  from: Schema.String,
  to: Schema.String,
  at: Timestamp,
  by: Schema.String
}).annotations({ identifier: "StatusChangeRecord" })

/** A claim as it is shown with its task (spec 1-core, Next task). */
export const ClaimView = Schema.Struct({
  by: Schema.String.annotations({ description: "What the credential that made it is called" }),
  agent: Schema.String.annotations({ description: "Whom it was made for: the assignee" }),
  claimedAt: Timestamp,
  expiresAt: Timestamp,
  epoch: Schema.Int.annotations({ description: "How often the task was claimed; each claim raises it" }),
  stale: Schema.Boolean.annotations({
    description: "It lapsed, at the moment of this answer: whoever claims the task next takes it over"
  })
}).annotations({
  identifier: "TaskClaimView",
  description: "Who holds the task, and until when; absent when nobody claimed it"
})
export type ClaimView = typeof ClaimView.Type
