import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { Effect, Option, Schema } from "effect"
import { CommentsApi } from "../../../board/comments/Api.ts"
import { TasksApi } from "../../../board/tasks/Api.ts"
import { TaskPriority, TaskStatus } from "../../../board/tasks/Task.ts"
import { Client } from "../../../client/Client.ts"
import { Misused } from "../../../client/Failure.ts"
import { ownName } from "../../../client/OwnName.ts"
import { ask } from "../../Answer.ts"
import { id, json, limitUpTo, optionOf, words } from "../../Parts.ts"
import { taskName, taskTable, taskText } from "../../text/TaskText.ts"

/*
 * The commands that read and add tasks: list, show, create, comment.
 */

/** How many tasks a person is shown at once. */
const pageSize = 50

const limit = limitUpTo(
  10_000,
  `At most this many tasks, 1 to 10000; ${pageSize} without it, and all with --json`
).pipe(Options.optional)

const status = Options.text("status").pipe(
  Options.withPseudoName("STATUS"),
  Options.withDescription(`Only tasks in this status: ${TaskStatus.literals.join(", ")}; may be repeated`),
  Options.repeated,
  optionOf("--status", Schema.mutable(Schema.Array(TaskStatus)))
)

const agent = Options.text("agent").pipe(
  Options.withPseudoName("NAME"),
  Options.withDescription(
    "Only tasks that this agent has, or is to work on: as assignee or among the agents"
  ),
  Options.optional
)

const assignee = Options.text("assignee").pipe(
  Options.withPseudoName("NAME"),
  Options.withDescription("Only tasks of this assignee"),
  Options.optional
)

const mine = Options.boolean("mine").pipe(Options.withDescription("Only tasks that are assigned to you"))

/** The assignee to filter by; `--mine` and `--assignee` together are a mistake. */
const wanted = (given: { readonly assignee: Option.Option<string>; readonly mine: boolean }) =>
  given.mine && Option.isSome(given.assignee)
    ? new Misused({
        reason: "--mine and --assignee name two assignees",
        remedy: "Use one of them"
      })
    : given.mine
      ? Effect.asSome(ownName)
      : Effect.succeed(given.assignee)

export const list = Command.make("list", { status, mine, assignee, agent, limit, json }, (given) =>
  ask(
    given.json,
    Effect.gen(function* () {
      const { call } = yield* Client
      const whose = yield* wanted(given)
      const most = Option.getOrElse(given.limit, () => (given.json ? undefined : pageSize))
      const [found, response] = yield* call(TasksApi, ({ tasks }) =>
        tasks.list({
          withResponse: true,
          urlParams: {
            ...(given.status.length === 0 ? {} : { status: given.status }),
            ...(Option.isNone(whose) ? {} : { assignee: whose.value }),
            ...(Option.isNone(given.agent) ? {} : { worker: given.agent.value }),
            ...(most === undefined ? {} : { limit: most })
          }
        })
      )
      const total = Number(response.headers["x-total-count"] ?? found.tasks.length)
      return {
        json: found,
        text: (paint, width) =>
          found.tasks.length === 0
            ? "No tasks."
            : [
                taskTable(found.tasks, paint, width),
                ...(total > found.tasks.length
                  ? [paint.dim(`${found.tasks.length} of ${total}; --limit shows more`)]
                  : [])
              ].join("\n")
      }
    })
  )
)

export const show = Command.make("show", { id, json }, (given) =>
  ask(
    given.json,
    Effect.gen(function* () {
      const { call } = yield* Client
      const task = yield* call(TasksApi, ({ tasks }) => tasks.get({ path: { id: given.id } }))
      return { json: task, text: (paint) => taskText(task, paint) }
    })
  )
)

const title = words("TITLE", "The title; several words need no quotes")

/** An option whose text becomes a field of the new task. */
const given = (name: string, pseudoName: string, description: string) =>
  Options.text(name).pipe(
    Options.withPseudoName(pseudoName),
    Options.withDescription(description),
    Options.optional
  )

const priority = Options.text("priority").pipe(
  optionOf("--priority", TaskPriority),
  Options.withPseudoName("PRIORITY"),
  Options.withDescription(`How urgent it is: ${TaskPriority.literals.join(", ")}; medium without it`),
  Options.optional
)

const column = Options.text("status").pipe(
  optionOf("--status", TaskStatus),
  Options.withPseudoName("STATUS"),
  Options.withDescription(`The column that it goes to: ${TaskStatus.literals.join(", ")}; todo without it`),
  Options.optional
)

const label = Options.text("label").pipe(
  Options.withPseudoName("LABEL"),
  Options.withDescription("A label; may be repeated"),
  Options.repeated
)

const draft = {
  priority,
  status: column,
  type: given("type", "TYPE", "The kind of work, e.g. bug or docs; code without it"),
  project: given("project", "PROJECT", "The project that it belongs to"),
  assignee: given("assignee", "NAME", "Who has it"),
  description: given("description", "TEXT", "What is to be done, in Markdown")
}

export const create = Command.make("create", { title, ...draft, label, json }, (asked) =>
  ask(
    asked.json,
    Effect.gen(function* () {
      const { call } = yield* Client
      const { assignee, description, label: labels, priority, project, status, title, type } = asked
      const payload = {
        title,
        ...(Option.isNone(priority) ? {} : { priority: priority.value }),
        ...(Option.isNone(status) ? {} : { status: status.value }),
        ...(Option.isNone(type) ? {} : { type: type.value }),
        ...(Option.isNone(project) ? {} : { project: project.value }),
        ...(Option.isNone(assignee) ? {} : { assignee: assignee.value }),
        ...(Option.isNone(description) ? {} : { description: description.value }),
        ...(labels.length === 0 ? {} : { labels })
      }
      const task = yield* call(TasksApi, ({ tasks }) => tasks.create({ payload }))
      return { json: task, text: (paint) => `${paint.green("Created")} ${taskName(task, paint)}` }
    })
  )
)

const text = words("TEXT", "The comment; several words need no quotes")

export const comment = Command.make("comment", { id, text, json }, (given) =>
  ask(
    given.json,
    Effect.gen(function* () {
      const { call } = yield* Client
      const task = yield* call(CommentsApi, ({ comments }) =>
        comments.add({ path: { id: given.id }, headers: {}, payload: { text: given.text } })
      )
      return { json: task, text: (paint) => `${paint.green("Commented on")} ${taskName(task, paint)}` }
    })
  )
)
