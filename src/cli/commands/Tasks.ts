import { Command, Options } from "@effect/cli"
import { Effect, Option, Schema } from "effect"
import { TaskStatus } from "../../board/tasks/Task.ts"
import { Client } from "../../client/Client.ts"
import { Misused } from "../../client/Failure.ts"
import { ownName } from "../../client/OwnName.ts"
import { integer } from "../../kernel/Text.ts"
import { ask } from "../Answer.ts"
import { id, json, words } from "../Parts.ts"
import { taskName, taskTable, taskText } from "../TaskText.ts"

/*
 * The commands that read and add tasks: list, show, create, comment.
 */

/** How many tasks a person is shown at once. */
const pageSize = 50

const limit = Options.integer("limit").pipe(
  Options.withSchema(integer(1, 10_000)),
  Options.withPseudoName("N"),
  Options.withDescription(`At most this many tasks, 1 to 10000; ${pageSize} without it, and all with --json`),
  Options.optional
)

const status = Options.text("status").pipe(
  Options.withPseudoName("STATUS"),
  Options.withDescription(`Only tasks in this status: ${TaskStatus.literals.join(", ")}; may be repeated`),
  Options.repeated,
  Options.withSchema(Schema.mutable(Schema.Array(TaskStatus)))
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
  Options.withDescription("Only tasks whose assignee this is"),
  Options.optional
)

const mine = Options.boolean("mine").pipe(Options.withDescription("Only tasks whose assignee you are"))

/** Whose tasks are asked for; by two names nobody's. */
const wanted = (given: { readonly assignee: Option.Option<string>; readonly mine: boolean }) =>
  given.mine && Option.isSome(given.assignee)
    ? new Misused({
        reason: "--mine and --assignee name two assignees",
        remedy: "Say one of them"
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
      const [found, response] = yield* call(({ tasks }) =>
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
).pipe(Command.withDescription("List the tasks of the board, column by column."))

export const show = Command.make("show", { id, json }, (given) =>
  ask(
    given.json,
    Effect.gen(function* () {
      const { call } = yield* Client
      const task = yield* call(({ tasks }) => tasks.get({ path: { id: given.id } }))
      return { json: task, text: (paint) => taskText(task, paint) }
    })
  )
).pipe(Command.withDescription("Show a task."))

const title = words("TITLE", "The title; several words need no quotes")

export const create = Command.make("create", { title, json }, (given) =>
  ask(
    given.json,
    Effect.gen(function* () {
      const { call } = yield* Client
      const task = yield* call(({ tasks }) => tasks.create({ payload: { title: given.title } }))
      return { json: task, text: (paint) => `${paint.green("Created")} ${taskName(task, paint)}` }
    })
  )
).pipe(Command.withDescription("Add a task to the end of todo."))

const text = words("TEXT", "The comment; several words need no quotes")

export const comment = Command.make("comment", { id, text, json }, (given) =>
  ask(
    given.json,
    Effect.gen(function* () {
      const { call } = yield* Client
      const task = yield* call(({ comments }) =>
        comments.add({ path: { id: given.id }, headers: {}, payload: { text: given.text } })
      )
      return { json: task, text: (paint) => `${paint.green("Commented on")} ${taskName(task, paint)}` }
    })
  )
).pipe(Command.withDescription("Add a comment to a task."))
