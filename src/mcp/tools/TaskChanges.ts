import { randomUUID } from "node:crypto"
import { Effect, Schema } from "effect"
import { CommentsApi } from "../../board/comments/Api.ts"
import { CommentDraft } from "../../board/comments/Comment.ts"
import { NextApi } from "../../board/next/Api.ts"
import { ClaimNext } from "../../board/next/Next.ts"
import { TasksApi } from "../../board/tasks/Api.ts"
import { type Task, TaskDraft, TaskIdParam, TaskPatch, TaskStatus } from "../../board/tasks/Task.ts"
import { Client } from "../../client/Client.ts"
import { optional } from "../../kernel/Optional.ts"
import { integer } from "../../kernel/Text.ts"
import { once, retryConflict } from "../Retry.ts"
import { line, wrote } from "../Text.ts"
import { tool } from "../Tool.ts"

/*
 * The tools that change tasks. Each answers with one line.
 */

const { agent, project, type } = ClaimNext.fields

export const claimTask = tool({
  name: "claim_task",
  kind: "adds",
  description:
    "Take a task: it is in progress and yours, and nobody else gets it. Without id it takes the next one (project and type narrow it). The claim lasts 30 minutes unless the board says otherwise; each write on the task renews it. After that another may take it over.",
  input: Schema.Struct({ id: optional(TaskIdParam), agent, project, type }),
  run: ({ id, ...which }) => (id === undefined ? claimNext(which) : claimOne(id, which.agent))
})

const claimNext = (which: Omit<ClaimNext, "operationId">) =>
  Effect.gen(function* () {
    const { call } = yield* Client
    const payload = { ...which, operationId: randomUUID() }
    const { reasons, task } = yield* once(call(NextApi, ({ next }) => next.claimNext({ payload })))
    return task === null ? line(`Nothing to claim. ${reasons.join(". ")}.`, 2_000) : claimed(task)
  })

const claimOne = (id: string, agent: string | undefined) =>
  Effect.gen(function* () {
    const { call } = yield* Client
    const payload = agent === undefined ? {} : { agent }
    return claimed(yield* call(NextApi, ({ next }) => next.claim({ path: { id }, headers: {}, payload })))
  })

const claimed = (task: Task): string =>
  wrote(task, `claimed by ${line(task.assignee ?? "you", 60)}: "${line(task.title, 160)}"`)

const draft = TaskDraft.fields

export const createTask = tool({
  name: "create_task",
  kind: "adds",
  description: "Add a task to the end of a column, todo when absent.",
  input: Schema.Struct({
    title: draft.title,
    description: draft.description,
    status: draft.status,
    priority: draft.priority,
    type: draft.type,
    project: draft.project,
    assignee: draft.assignee,
    labels: draft.labels,
    acceptanceCriteria: draft.acceptanceCriteria
  }),
  run: (payload) =>
    Effect.map(
      Effect.flatMap(Client, ({ call }) => call(TasksApi, ({ tasks }) => tasks.create({ payload }))),
      (task) => wrote(task, `created in ${task.status}`)
    )
})

const patch = TaskPatch.fields

export const updateTask = tool({
  name: "update_task",
  kind: "overwrites",
  description:
    "Change the fields you name; null clears one. status passes the board's gates. Give revision to fail if somebody changed the task since you read it.",
  input: Schema.Struct({
    id: TaskIdParam,
    revision: optional(integer(1, 999_999_999)),
    title: patch.title,
    description: patch.description,
    status: patch.status,
    priority: patch.priority,
    type: patch.type,
    project: patch.project,
    assignee: patch.assignee,
    labels: patch.labels,
    acceptanceCriteria: patch.acceptanceCriteria,
    reviewScores: patch.reviewScores,
    completionSummary: patch.completionSummary,
    lessonsLearned: patch.lessonsLearned
  }),
  run: ({ id, revision, ...payload }) =>
    Effect.gen(function* () {
      const fields = Object.keys(payload)
      if (fields.length === 0) return "Nothing changed: name at least one field besides id and revision."
      const { call } = yield* Client
      const headers = revision === undefined ? {} : { "x-resource-revision": String(revision) }
      const task = yield* call(TasksApi, ({ tasks }) => tasks.patch({ path: { id }, headers, payload }))
      return wrote(task, `updated (${fields.join(", ")})`)
    })
})

/** A position beyond the end of every column. */
const end = 1_000_000

export const moveTask = tool({
  name: "move_task",
  kind: "sets",
  description:
    "Move a task to a column, at its end or at an index from 0. Moving to done passes the board's gates.",
  input: Schema.Struct({ id: TaskIdParam, status: TaskStatus, index: optional(integer(0, end)) }),
  run: ({ id, index, status }) => retryConflict(move(id, status, index))
})

/** Reads where the task is and moves it from there: when it has been moved in between, the move is a conflict. */
const move = (id: string, status: TaskStatus, index: number | undefined) =>
  Effect.gen(function* () {
    const { call } = yield* Client
    const before = yield* call(TasksApi, ({ tasks }) => tasks.get({ path: { id } }))
    if (before.status === status && index === undefined) return wrote(before, `is in ${status} already`)
    const payload = {
      operationId: randomUUID(),
      sourceStatus: before.status,
      sourcePosition: before.position,
      destinationStatus: status,
      destinationIndex: index ?? end
    }
    const headers = { "x-resource-revision": String(before.revision) }
    const { task } = yield* once(
      call(TasksApi, ({ tasks }) => tasks.move({ path: { id }, headers, payload }))
    )
    return wrote(task, `moved to ${task.status}`)
  })

export const addComment = tool({
  name: "add_comment",
  kind: "adds",
  description: "Comment on a task. Boards may want one of 20 or more characters before a task is done.",
  input: Schema.Struct({ id: TaskIdParam, text: CommentDraft.fields.text }),
  run: ({ id, text }) =>
    Effect.map(
      Effect.flatMap(Client, ({ call }) =>
        call(CommentsApi, ({ comments }) => comments.add({ path: { id }, headers: {}, payload: { text } }))
      ),
      (task) => wrote(task, "has a new comment")
    )
})
