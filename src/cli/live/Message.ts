import { Either, Schema } from "effect"
import { dividerLine } from "../../board/squad/Divider.ts"
import { SquadMessage } from "../../board/squad/SquadMessage.ts"
import { Task } from "../../board/tasks/Task.ts"
import { RunApproval } from "../../governance/approvals/RunApproval.ts"
import { oneLine, printableJson } from "../../kernel/Foreign.ts"
import { approvalNews } from "../text/ApprovalText.ts"
import type { Paint } from "../text/Paint.ts"
import { taskNews } from "./News.ts"

/**
 * A message of the live stream. Unknown kinds are kept as they are, as a server may be newer than its readers (spec
 * 1-core, Versioning).
 */
export interface LiveMessage {
  readonly type: string
  /** The sequence number of the message in the stream: a reader that was cut off goes on after it. */
  readonly sequence: number | undefined
  readonly body: Readonly<Record<string, unknown>>
}

const Known = Schema.parseJson(Schema.Record({ key: Schema.String, value: Schema.Unknown }))

/** Reads a message; anything but a JSON object becomes a message of a kind of its own. */
export const readMessage = (text: string): LiveMessage =>
  Either.match(Schema.decodeEither(Known)(text), {
    onLeft: () => ({ type: "unreadable", sequence: undefined, body: { text } }),
    onRight: (body) => ({
      type: typeof body["type"] === "string" ? body["type"] : "unknown",
      sequence: typeof body["sequence"] === "number" ? body["sequence"] : undefined,
      body
    })
  })

const asTask = Schema.decodeUnknownEither(Task)
const asApproval = Schema.decodeUnknownEither(RunApproval)
const asSquadMessage = Schema.decodeUnknownEither(SquadMessage)

/** How many tasks a reader remembers, to see what is new about them. */
const remembered = 10_000

/** Makes a function that turns messages into lines for a person; undefined when there is nothing new. */
export const makeTeller = (paint: Paint): ((message: LiveMessage) => string | undefined) => {
  const known = new Map<string, Task>()
  return (message) => {
    if (message.type !== "task:updated") return messageText(message, paint)
    return Either.match(asTask(message.body["task"]), {
      onLeft: () => anyText(message, paint),
      onRight: (task) => {
        const news = taskNews(known.get(task.id), task, paint)
        known.delete(task.id)
        known.set(task.id, task)
        const [oldest] = known.keys()
        if (known.size > remembered && oldest !== undefined) known.delete(oldest)
        return news
      }
    })
  }
}

/** A message that needs no earlier one to be understood, on one line. */
const messageText = (message: LiveMessage, paint: Paint): string => {
  const { body, type } = message
  switch (type) {
    case "task:deleted":
      return `${paint.red("deleted")}  ${paint.bold(oneLine(String(body["taskId"])))}`
    case "squad:message":
      return Either.match(asSquadMessage(body["message"]), {
        onLeft: () => anyText(message, paint),
        onRight: (said) =>
          said.system
            ? paint.dim(oneLine(dividerLine(said)))
            : `${paint.cyan(oneLine(said.agent))}: ${oneLine(said.message)}`
      })
    case "approval:pending":
    case "approval:changed":
      return Either.match(asApproval(body["approval"]), {
        onLeft: () => anyText(message, paint),
        onRight: (approval) => approvalNews(approval, paint)
      })
    default:
      return anyText(message, paint)
  }
}

const anyText = ({ body, type }: LiveMessage, paint: Paint): string => {
  const { sequence: _sequence, type: _type, ...rest } = body
  return `${paint.dim(oneLine(type))}  ${oneLine(printableJson(rest))}`
}
