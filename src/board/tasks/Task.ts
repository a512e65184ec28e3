import { Schema } from "effect"
import { IdParam } from "../../kernel/IdParam.ts"
import { kept, openly } from "../../kernel/Incoming.ts"
import { optional } from "../../kernel/Optional.ts"
import { everyIssue, listOf, nonBlank, text, unique } from "../../kernel/Text.ts"
import { Timestamp } from "../../kernel/Time.ts"
import {
  AcceptanceCriterion,
  ClaimView,
  Comment,
  ExecutionPolicy,
  ExternalWorkItem,
  ExternalWorkItemInput,
  GitContext,
  GitContextInput,
  Progress,
  ReviewScores,
  StatusChangeRecord,
  TimeTracking
} from "./TaskParts.ts"

/** The statuses of a task, in the order of the board's columns (spec 1-core, States and transitions). */
export const TaskStatus = Schema.Literal("backlog", "todo", "in-progress", "blocked", "done", "cancelled")
export type TaskStatus = typeof TaskStatus.Type

/** The place of a status on the board: its column, from the left. */
export const laneOf = (status: TaskStatus): number => TaskStatus.literals.indexOf(status)

/** How urgent a task is, least first. */
export const TaskPriority = Schema.Literal("low", "medium", "high", "critical")
export type TaskPriority = typeof TaskPriority.Type

/** Words that stand where an id stands in the paths of the contract: a task of this name could not be reached. */
export const reservedIds = [
  "bulk-archive-by-ids",
  "bulk-update",
  "claim-next",
  "counts",
  "import",
  "next",
  "reorder",
  "time",
  "worktrees"
] as const

const reserved: ReadonlySet<string> = new Set(reservedIds)

/** An id that a client may choose: no colon and no quote, which ETags need for themselves, and no word of a path. */
export const TaskIdInput = Schema.String.pipe(
  Schema.pattern(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/, {
    message: () => "Expected 1 to 128 letters, digits, dots, dashes and underscores"
  }),
  Schema.filter((id) => !reserved.has(id), { message: () => "This word is part of the API's paths" }),
  openly()
)

/** An id as it comes in a path or a body: whatever it is, an unknown one is a 404. */
export const TaskIdParam = IdParam.annotations({ description: "The id of a task" })

/** Whose attempts a task holds: evidence of runs, which the service alone writes (document 3). */
const Attempt = Schema.Record({ key: Schema.String, value: Schema.Unknown })

/** What a client may write, with its limits. */
export const content = {
  description: text(100_000),
  project: nonBlank(200),
  assignee: nonBlank(200),
  completionSummary: text(20_000),
  lessonsLearned: text(20_000),
  runMode: nonBlank(64),
  executionPolicy: ExecutionPolicy
}
/** How many items of trackers a task can stand for. */
export const externalWorkItemLimit = 50

export const lists = {
  agents: unique(listOf(nonBlank(200), 50)),
  labels: listOf(nonBlank(100), 50),
  acceptanceCriteria: listOf(AcceptanceCriterion, 200),
  externalWorkItems: listOf(ExternalWorkItemInput, externalWorkItemLimit)
}
const title = nonBlank(500)
export const TaskType = nonBlank(64)

/**
 * A task (spec 1-core, Task). `position` is its place in its column, from 0. Lists that are empty are present; texts
 * that were never set are absent.
 */
export const Task = Schema.Struct({
  id: Schema.String,
  title: Schema.String,
  description: optional(Schema.String),
  status: TaskStatus,
  priority: TaskPriority,
  type: Schema.String,
  project: optional(Schema.String),
  assignee: optional(Schema.String),
  agents: Schema.Array(Schema.String),
  labels: Schema.Array(Schema.String),
  position: Schema.Int,
  revision: Schema.Int,
  archived: Schema.Boolean,
  archivedAt: optional(Timestamp),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  createdBy: Schema.String,
  updatedBy: Schema.String,
  reviewScores: optional(ReviewScores),
  comments: Schema.Array(Comment),
  acceptanceCriteria: Schema.Array(AcceptanceCriterion),
  completionSummary: optional(Schema.String),
  lessonsLearned: optional(Schema.String),
  executionPolicy: optional(ExecutionPolicy),
  runMode: optional(Schema.String),
  git: optional(GitContext),
  attempt: optional(Attempt),
  attempts: Schema.Array(Attempt),
  externalWorkItems: Schema.Array(ExternalWorkItem),
  delegatedWork: Schema.Array(Schema.Unknown),
  dependencies: Schema.Array(Schema.String).annotations({
    description: "Ids of the tasks that this one depends on"
  }),
  timeTracking: TimeTracking,
  progress: optional(Progress),
  statusHistory: Schema.Array(StatusChangeRecord).annotations({
    description: "The last 100 changes of the status"
  }),
  sourceId: optional(Schema.String).annotations({
    description: "The id of the task in the file it was imported from"
  }),
  claim: optional(ClaimView)
}).annotations({ identifier: "Task" })
export type Task = typeof Task.Type

/**
 * A task as its document is stored: all but the position, which changes with every neighbour that moves, and the claim,
 * which changes with every heartbeat. Both stand in columns of their own.
 */
export type StoredTask = Omit<Task, "position" | "claim">

/** The body of a create: the title, and whatever else is known already. */
export const TaskDraft = Schema.Struct({
  id: optional(TaskIdInput),
  title,
  status: optional(TaskStatus),
  priority: optional(TaskPriority),
  type: optional(TaskType),
  description: optional(content.description),
  project: optional(content.project),
  assignee: optional(content.assignee),
  completionSummary: optional(content.completionSummary),
  lessonsLearned: optional(content.lessonsLearned),
  runMode: optional(content.runMode),
  executionPolicy: optional(content.executionPolicy),
  reviewScores: optional(ReviewScores),
  agents: optional(lists.agents),
  labels: optional(lists.labels),
  acceptanceCriteria: optional(lists.acceptanceCriteria),
  externalWorkItems: optional(lists.externalWorkItems),
  git: optional(GitContextInput)
}).annotations({ identifier: "TaskDraft", ...everyIssue })
export type TaskDraft = typeof TaskDraft.Type

const clearable = <A, I, R>(schema: Schema.Schema<A, I, R>) => optional(Schema.NullOr(schema))

/**
 * The body of a patch. A field that is absent stays as it is; `null` clears a text or an object. Review scores and
 * `git` merge field by field, an execution policy and lists replace what was there. Fields that the service owns
 * (id, revision, comments, timestamps, ...) may be echoed and are ignored.
 */
export const TaskPatch = Schema.Struct({
  title: optional(title),
  status: optional(TaskStatus),
  priority: optional(TaskPriority),
  type: optional(TaskType),
  description: clearable(content.description),
  project: clearable(content.project),
  assignee: clearable(content.assignee),
  completionSummary: clearable(content.completionSummary),
  lessonsLearned: clearable(content.lessonsLearned),
  runMode: clearable(content.runMode),
  executionPolicy: clearable(content.executionPolicy),
  reviewScores: clearable(ReviewScores),
  agents: optional(lists.agents),
  labels: optional(lists.labels),
  acceptanceCriteria: optional(lists.acceptanceCriteria),
  externalWorkItems: optional(lists.externalWorkItems),
  git: clearable(GitContextInput),
  attempt: optional(Attempt.pipe(kept("It may be echoed and is never taken over.")))
}).annotations({ identifier: "TaskPatch", ...everyIssue })
export type TaskPatch = typeof TaskPatch.Type

/** The time tracking of a task on which no time was spent. */
export const noTime: TimeTracking = { entries: [], totalMs: 0, isRunning: false }

/** A new task from its draft: what the draft leaves open takes the defaults todo, medium and code. */
export const create = (
  draft: TaskDraft,
  origin: { readonly id: string; readonly at: string; readonly by: string }
): StoredTask => {
  const { id: _, title, ...fields } = draft
  return {
    id: origin.id,
    title,
    status: "todo",
    priority: "medium",
    type: "code",
    agents: [],
    labels: [],
    acceptanceCriteria: [],
    externalWorkItems: [],
    ...fields,
    revision: 1,
    archived: false,
    createdAt: origin.at,
    updatedAt: origin.at,
    createdBy: origin.by,
    updatedBy: origin.by,
    comments: [],
    attempts: [],
    delegatedWork: [],
    dependencies: [],
    timeTracking: noTime,
    statusHistory: []
  }
}

/** The task with a patch applied, its status apart: a status changes through the status pipeline alone. */
export const applyPatch = (task: StoredTask, patch: TaskPatch): StoredTask => {
  const { status: _status, attempt: _attempt, externalWorkItems, git, reviewScores, ...fields } = patch
  const { git: gitBefore, ...before } = task
  // The worktree endpoints own the path: a client can neither set nor clear it.
  const kept = gitBefore?.worktreePath === undefined ? {} : { worktreePath: gitBefore.worktreePath }
  const gitAfter = git === undefined ? gitBefore : git === null ? kept : { ...gitBefore, ...git }
  const named: Clearable = {
    ...fields,
    ...(externalWorkItems === undefined ? {} : { externalWorkItems: withBacklinks(task, externalWorkItems) }),
    ...(reviewScores === undefined
      ? {}
      : { reviewScores: reviewScores && { ...task.reviewScores, ...reviewScores } })
  }
  return {
    ...withoutNulls({ ...before, ...named }),
    ...(gitAfter === undefined || Object.keys(gitAfter).length === 0 ? {} : { git: gitAfter })
  }
}

/** The items that a patch names, each with what the trackers wrote beside it. */
const withBacklinks = (
  task: StoredTask,
  items: ReadonlyArray<ExternalWorkItemInput>
): ReadonlyArray<ExternalWorkItem> =>
  items.map((item) => ({
    ...task.externalWorkItems.find((before) => identityOf(before) === identityOf(item)),
    ...item
  }))

type Clearable = Omit<TaskPatch, "status" | "attempt" | "git">
type WithoutNulls<T> = { readonly [K in keyof T]: Exclude<T[K], null> }

/** A field that was set to null is gone. */
export const withoutNulls = <T extends object>(fields: T): WithoutNulls<T> => {
  const kept = { ...fields }
  for (const name in kept) if (kept[name] === null) delete kept[name]
  return kept as WithoutNulls<T>
}

/** The fields that a patch names. */
export const namedFields = (patch: TaskPatch): ReadonlyArray<string> => Object.keys(patch)

const identityOf = ({ number, provider, repository }: ExternalWorkItemInput): string =>
  `${provider}:${repository}#${number}`

/**
 * The identities outside of the board that a task claims (spec 1-core, External identity keys). An archived task claims
 * none: putting a card away is how a shared identity is repaired.
 */
export const identitiesOf = (task: StoredTask): ReadonlyArray<string> => {
  if (task.archived) return []
  const items = task.externalWorkItems.map(identityOf)
  const pr = task.git?.pr
  return [...new Set(pr === undefined ? items : [...items, `git-pr:${pr.repository}#${pr.number}`])]
}
