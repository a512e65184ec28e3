import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { Effect, Option } from "effect"
import { ChatApi } from "../../../board/chat/Api.ts"
import type { ChatMessage, ChatSession } from "../../../board/chat/ChatSession.ts"
import { TaskIdInput } from "../../../board/tasks/Task.ts"
import { Client } from "../../../client/Client.ts"
import { after, oneLine } from "../../../kernel/Foreign.ts"
import { ask } from "../../Answer.ts"
import { json, limitUpTo, optionOf } from "../../Parts.ts"
import type { Paint } from "../../text/Paint.ts"
import { indent } from "../../text/TaskText.ts"

/*
 * The commands of chat sessions: send, sessions, history.
 */

const limit = limitUpTo(1_000, "At most this many, 1 to 1000; 100 without it").pipe(Options.optional)

const task = (description: string) =>
  Options.text("task").pipe(
    optionOf("--task", TaskIdInput),
    Options.withPseudoName("ID"),
    Options.withDescription(description),
    Options.optional
  )

const text = (name: string, value: string, description: string) =>
  Options.text(name).pipe(
    Options.withPseudoName(value),
    Options.withDescription(description),
    Options.optional
  )

const message = Args.text({ name: "MESSAGE" }).pipe(
  Args.withDescription("What to say; several words need no quotes"),
  Args.atLeast(1),
  Args.map((words) => words.join(" "))
)

const send = Command.make(
  "send",
  {
    message,
    session: text("session", "SESSION", "The session to say it in; without it a new one begins"),
    agent: text("agent", "NAME", "The agent that a new session is with"),
    task: task("The task that a new session is about"),
    json
  },
  (given) =>
    ask(
      given.json,
      Effect.gen(function* () {
        const { call } = yield* Client
        const sent = yield* call(ChatApi, ({ chat }) =>
          chat.send({
            payload: {
              message: given.message,
              ...(Option.isNone(given.session) ? {} : { sessionId: given.session.value }),
              ...(Option.isNone(given.agent) ? {} : { agent: given.agent.value }),
              ...(Option.isNone(given.task) ? {} : { taskId: given.task.value })
            }
          })
        )
        return {
          json: sent,
          text: (paint) => `${paint.green("Sent")} to ${paint.bold(oneLine(sent.sessionId))}`
        }
      })
    )
).pipe(Command.withDescription("Say something in a chat session."))

const sessionText = (session: ChatSession, paint: Paint): string =>
  [
    paint.bold(oneLine(session.id)),
    paint.dim(session.updatedAt),
    `${session.messageCount} message${session.messageCount === 1 ? "" : "s"}`,
    ...(session.agent === null ? [] : [`with ${paint.cyan(oneLine(session.agent))}`]),
    ...(session.taskId === null ? [] : [`about ${oneLine(session.taskId)}`])
  ].join("  ")

const sessions = Command.make(
  "sessions",
  { task: task("Only those about this task"), limit, json },
  (given) =>
    ask(
      given.json,
      Effect.gen(function* () {
        const { call } = yield* Client
        const found = yield* call(ChatApi, ({ chat }) =>
          chat.list({
            urlParams: {
              taskId: Option.getOrUndefined(given.task),
              limit: Option.getOrUndefined(given.limit)
            }
          })
        )
        return {
          json: found,
          text: (paint) =>
            found.length === 0
              ? "No chat sessions."
              : found.map((session) => sessionText(session, paint)).join("\n")
        }
      })
    )
).pipe(Command.withDescription("List the chat sessions, the one with the latest message first."))

const messageText = ({ author, content, createdAt }: ChatMessage, paint: Paint): string =>
  after(`${paint.dim(createdAt)}  ${paint.cyan(oneLine(author))}:`, indent, content)

const session = Args.text({ name: "SESSION" }).pipe(Args.withDescription("The id of a chat session"))

const history = Command.make("history", { session, limit, json }, (given) =>
  ask(
    given.json,
    Effect.gen(function* () {
      const { call } = yield* Client
      const found = yield* call(ChatApi, ({ chat }) =>
        chat.history({
          path: { id: given.session },
          urlParams: { limit: Option.getOrUndefined(given.limit) }
        })
      )
      return {
        json: found,
        text: (paint) => found.messages.map((said) => messageText(said, paint)).join("\n")
      }
    })
  )
).pipe(Command.withDescription("Show the latest messages of a chat session, oldest first."))

export const chat = Command.make("chat").pipe(Command.withSubcommands([send, sessions, history]))
