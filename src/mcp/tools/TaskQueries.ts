import { Effect, Schema } from "effect"
import { ContextApi } from "../../board/context/Api.ts"
import { NextApi } from "../../board/next/Api.ts"
import { ClaimNext, type NextTask } from "../../board/next/Next.ts"
import { TasksApi } from "../../board/tasks/Api.ts"
import { TaskIdParam, TaskPriority, TaskStatus } from "../../board/tasks/Task.ts"
import { Client } from "../../client/Client.ts"
import { optional } from "../../kernel/Optional.ts"
import { integer, listOf, nonBlank } from "../../kernel/Text.ts"
import {
  approvalLine,
  bounded,
  commentLines,
  factLines,
  line,
  MaxChars,
  more,
  nodeLine,
  observationLine,
  progressLines,
  section,
  taskLine
} from "../Text.ts"
import { tool } from "../Tool.ts"

/*
 * The tools that read the board: what is next, what is known about it, what else there is.
 */

const { agent, project, type } = ClaimNext.fields

export const nextTask = tool({
  name: "next_task",
  kind: "reads",
  description:
    "The task to work on next and why: yours or nobody's, in todo, not waiting for another. Reserves nothing; claim_task does.",
  input: Schema.Struct({ agent, project, type }),
  run: (urlParams) =>
    Effect.map(
      Effect.flatMap(Client, ({ call }) => call(NextApi, ({ next }) => next.get({ urlParams }))),
      nextText
    )
})

const nextText = ({ alternatives, reasons, task }: NextTask): string =>
  task === null
    ? line(`No task to take up. ${reasons.join(". ")}.`, 2_000)
    : [
        taskLine(task),
        line(`Why: ${reasons.join("; ")}.`, 2_000),
        ...section(
          "Also ready",
          alternatives.map(({ id, priority, title }) => `- ${id} [${priority}] ${line(title, 160)}`)
        ),
        "",
        `claim_task {"id": "${task.id}"} takes it; task_context tells what is known about it.`
      ].join("\n")

export const taskContext = tool({
  name: "task_context",
  kind: "reads",
  description:
    "All you need before you work on a task: the task, what it depends on and blocks, its checkpoint, progress, observations and comments.",
  input: Schema.Struct({ id: TaskIdParam, maxChars: optional(MaxChars) }),
  run: ({ id, maxChars }) =>
    Effect.map(
      Effect.flatMap(Client, ({ call }) => call(ContextApi, ({ context }) => context.get({ path: { id } }))),
      ({ checkpoint, dependencies, observations, task, waitingApprovals }) =>
        bounded(
          [
            ...factLines({ ...task, dependencies: [] }, maxChars),
            ...section("Depends on", dependencies.depends_on.map(nodeLine)),
            ...section("Blocks", dependencies.blocks.map(nodeLine)),
            ...(checkpoint === undefined
              ? []
              : [
                  "",
                  `A checkpoint was saved ${checkpoint.createdAt}: checkpoint {"action": "resume"} reads it.`
                ]),
            ...section("Runs wait for a person to approve", waitingApprovals?.newest.map(approvalLine) ?? []),
            ...progressLines(task.progress, maxChars),
            ...section("Observations, newest first", observations.map(observationLine)),
            ...commentLines(task, maxChars)
          ],
          maxChars
        )
    )
})

export const getTask = tool({
  name: "get_task",
  kind: "reads",
  description: "One task with its description, acceptance criteria, progress and comments.",
  input: Schema.Struct({ id: TaskIdParam, maxChars: optional(MaxChars) }),
  run: ({ id, maxChars }) =>
    Effect.map(
      Effect.flatMap(Client, ({ call }) => call(TasksApi, ({ tasks }) => tasks.get({ path: { id } }))),
      (task) =>
        bounded(
          [
            ...factLines(task, maxChars),
            ...progressLines(task.progress, maxChars),
            ...commentLines(task, maxChars)
          ],
          maxChars
        )
    )
})

/** How many tasks a list has when the call gives no limit. */
const pageSize = 20

export const listTasks = tool({
  name: "list_tasks",
  kind: "reads",
  description: "Tasks of the board, one a line, column by column. All filters must hold.",
  input: Schema.Struct({
    status: optional(listOf(TaskStatus, TaskStatus.literals.length)),
    priority: optional(TaskPriority),
    project,
    type,
    assignee: optional(nonBlank(200)),
    agent: optional(nonBlank(200).annotations({ description: "A name among the task's agents" })),
    archived: optional(Schema.Boolean.annotations({ description: "The archive instead of the board" })),
    limit: optional(integer(1, 100).annotations({ description: `${pageSize} when absent` })),
    offset: optional(integer(0, 10_000_000))
  }),
  run: ({ archived, limit = pageSize, offset = 0, status, ...filters }) =>
    Effect.gen(function* () {
      const { call } = yield* Client
      const [{ tasks }, response] = yield* call(TasksApi, ({ tasks }) =>
        tasks.list({
          withResponse: true,
          urlParams: {
            ...filters,
            limit,
            offset,
            ...(archived === undefined
              ? {}
              : { archived: archived ? ("true" as const) : ("false" as const) }),
            ...(status === undefined || status.length === 0 ? {} : { status })
          }
        })
      )
      const total = Number(response.headers["x-total-count"] ?? tasks.length)
      return tasks.length === 0
        ? `No tasks${total > 0 ? ` from offset ${offset} on; there are ${total}` : ""}.`
        : [...tasks.map(taskLine), ...more(tasks.length, total, offset)].join("\n")
    })
})
