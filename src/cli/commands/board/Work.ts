import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { Effect, Option } from "effect"
import { CommentsApi } from "../../../board/comments/Api.ts"
import { NextApi } from "../../../board/next/Api.ts"
import { TasksApi } from "../../../board/tasks/Api.ts"
import type { Task, TaskPatch, TaskStatus } from "../../../board/tasks/Task.ts"
import { Client } from "../../../client/Client.ts"
import { type Failure, Held, Refused, WrongStatus } from "../../../client/Failure.ts"
import { ownName } from "../../../client/OwnName.ts"
import { startTimer, stopTimer } from "../../../client/Timer.ts"
import { oneLine } from "../../../kernel/Foreign.ts"
import { type Answer, ask } from "../../Answer.ts"
import { id, json } from "../../Parts.ts"
import { taskName } from "../../text/TaskText.ts"

/*
 * The commands of somebody who works on a task: begin, block, unblock, done (spec 1-core, States and transitions).
 * Each can be repeated: a task that is where it should be stays as it is.
 */

const read = (taskId: string) =>
  Effect.flatMap(Client, ({ call }) => call(TasksApi, ({ tasks }) => tasks.get({ path: { id: taskId } })))

const patch = (taskId: string, payload: TaskPatch) =>
  Effect.flatMap(Client, ({ call }) =>
    call(TasksApi, ({ tasks }) => tasks.patch({ path: { id: taskId }, headers: {}, payload }))
  )

const addComment = (taskId: string, text: string) =>
  Effect.flatMap(Client, ({ call }) =>
    call(CommentsApi, ({ comments }) =>
      comments.add({ path: { id: taskId }, headers: {}, payload: { text } })
    )
  )

/** Sets the status of a task unless it already has it, and the fields that go with it. */
const enter = (task: Task, status: TaskStatus, fields: TaskPatch = {}) =>
  task.status === status && Object.keys(fields).length === 0
    ? Effect.succeed(task)
    : patch(task.id, task.status === status ? fields : { ...fields, status })

const report =
  (before: Task, done: string, already: string) =>
  (after: Task): Answer => ({
    json: after,
    text: (paint) =>
      `${before.status === after.status ? already : paint.green(done)} ${taskName(after, paint)}`
  })

/** How often a write is tried again when somebody else has changed the task in between. */
const attempts = 5

const isStale = (failure: Failure): boolean =>
  failure instanceof Refused && failure.status === 409 && "expectedRevision" in failure.details

/**
 * Assigns a task to the caller and puts it in progress, in one write conditional on what was read: of two who begin at
 * once, one gets it, and the other is told who has it. A task whose claim has lapsed is claimed; a claim that lasts is
 * renewed if it is the caller's, as by every write. Gives the task as it was before.
 */
const takeUp = (taskId: string, name: string, takeOver: boolean) =>
  Effect.gen(function* () {
    const before = yield* read(taskId)
    const { assignee, claim, revision, status } = before
    const { call } = yield* Client
    const headers = { "x-resource-revision": String(revision) }
    if (claim?.stale === true) {
      yield* call(NextApi, ({ next }) => next.claim({ path: { id: taskId }, headers, payload: {} }))
      return before
    }
    if (assignee !== undefined && assignee !== name && !takeOver) {
      return yield* new Held({ taskId, status, assignee })
    }
    const payload: TaskPatch = {
      ...(assignee === name && claim === undefined ? {} : { assignee: name }),
      ...(status === "in-progress" ? {} : { status: "in-progress" })
    }
    if (Object.keys(payload).length > 0) {
      yield* call(TasksApi, ({ tasks }) => tasks.patch({ path: { id: taskId }, headers, payload }))
    }
    return before
  }).pipe(Effect.retry({ times: attempts, while: isStale }))

const beginTask = (taskId: string, takeOver: boolean): Effect.Effect<Answer, Failure, Client> =>
  Effect.gen(function* () {
    const name = yield* ownName
    const { assignee, status } = yield* takeUp(taskId, name, takeOver)
    const after = yield* startTimer(taskId)
    return {
      json: after,
      text: (paint) =>
        assignee !== undefined && assignee !== name
          ? `${paint.green("Took over")} ${taskName(after, paint)} from ${oneLine(assignee)}`
          : assignee === name && status === "in-progress"
            ? `Already begun: ${taskName(after, paint)}`
            : `${paint.green("Began")} ${taskName(after, paint)}`
    }
  })

const blockTask = (taskId: string, reason: string | undefined): Effect.Effect<Answer, Failure, Client> =>
  Effect.gen(function* () {
    const before = yield* read(taskId)
    yield* enter(before, "blocked")
    const stopped = yield* stopTimer(taskId)
    const after = reason === undefined ? stopped : yield* addComment(taskId, reason)
    return report(before, "Blocked", "Already blocked:")(after)
  })

const unblockTask = (taskId: string): Effect.Effect<Answer, Failure, Client> =>
  Effect.gen(function* () {
    const before = yield* read(taskId)
    if (before.status !== "blocked" && before.status !== "in-progress") {
      return yield* new WrongStatus({
        taskId,
        status: before.status,
        reason: `Task ${taskId} is ${before.status}, not blocked`,
        remedy: `To start work on it: muster begin ${taskId}`
      })
    }
    yield* enter(before, "in-progress")
    return report(before, "Unblocked", "Not blocked, in progress already:")(yield* startTimer(taskId))
  })

/** A task that is already done keeps the summary and the lessons that it was completed with. */
const unsaid = (task: Task): Answer => ({
  json: task,
  text: (paint) => `Already done: ${taskName(task, paint)}; its summary and its lessons stay as they are`
})

const completeTask = (taskId: string, fields: TaskPatch): Effect.Effect<Answer, Failure, Client> =>
  Effect.gen(function* () {
    const before = yield* read(taskId)
    const said = Object.keys(fields).length > 0
    if (before.status === "done" && said) return unsaid(before)
    yield* enter(before, "done", fields)
    return report(before, "Done", "Already done:")(yield* stopTimer(taskId))
  })

const takeOver = Options.boolean("take-over").pipe(
  Options.withDescription("Take it from whoever has it; without it, somebody else's task is a conflict")
)

export const begin = Command.make("begin", { id, takeOver, json }, (given) =>
  ask(given.json, beginTask(given.id, given.takeOver))
)

const reason = Options.text("reason").pipe(
  Options.withPseudoName("TEXT"),
  Options.withDescription("Why; it is added as a comment"),
  Options.optional
)

export const block = Command.make("block", { id, reason, json }, (given) =>
  ask(given.json, blockTask(given.id, Option.getOrUndefined(given.reason)))
)

export const unblock = Command.make("unblock", { id, json }, (given) =>
  ask(given.json, unblockTask(given.id))
)

const summary = Options.text("summary").pipe(
  Options.withPseudoName("TEXT"),
  Options.withDescription("What was done"),
  Options.optional
)
const lessons = Options.text("lessons").pipe(
  Options.withPseudoName("TEXT"),
  Options.withDescription("What was learned"),
  Options.optional
)

export const done = Command.make("done", { id, summary, lessons, json }, (given) =>
  ask(
    given.json,
    completeTask(given.id, {
      ...Option.match(given.summary, {
        onNone: () => ({}),
        onSome: (completionSummary) => ({ completionSummary })
      }),
      ...Option.match(given.lessons, { onNone: () => ({}), onSome: (lessonsLearned) => ({ lessonsLearned }) })
    })
  )
)
