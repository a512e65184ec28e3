import { Layer, Option, Schema } from "effect"
import { type TaskFact, TaskFacts } from "../../insight/analytics/TaskFacts.ts"
import { parseStored } from "../../kernel/Json.ts"
import { optional } from "../../kernel/Optional.ts"
import { reader } from "../../storage/Event.ts"
import type { OutboxEvent } from "../../storage/Outbox.ts"
import { taskTurns } from "./TaskTurns.ts"

const readTurn = reader(taskTurns)

const factOf = (event: NonNullable<ReturnType<typeof readTurn>>): TaskFact => {
  const taskId = event.resourceId
  switch (event._tag) {
    case "task.created":
    case "task.imported":
      return { _tag: "Arrived", taskId, status: event.to, imported: event._tag === "task.imported" }
    case "task.archived":
    case "task.restored":
      return { _tag: "Archived", taskId, archived: event._tag === "task.archived" }
    case "task.renamed":
      return { _tag: "Renamed", taskId, from: event.from }
    case "task.deleted":
      return { _tag: "Deleted", taskId }
    default:
      return event.to === undefined
        ? { _tag: "Touched", taskId }
        : { _tag: "Changed", taskId, status: event.to }
  }
}

/** Rooms around a task name it in the events of their own resources: an observation, a checkpoint, telemetry. */
const decodeAround = Schema.decodeUnknownOption(Schema.Struct({ taskId: optional(Schema.String) }))

const touchedBy = ({ payload, resource, resourceId }: OutboxEvent): string | undefined =>
  resource === "task"
    ? resourceId
    : Option.getOrUndefined(decodeAround(parseStored<unknown>(payload)))?.taskId

/** Whatever else is told of a task, or names it, shows that something happens to it. */
export const TaskEventFacts = Layer.succeed(TaskFacts, {
  of: (event) => {
    const turn = readTurn(event)
    if (turn !== undefined) return factOf(turn)
    const taskId = touchedBy(event)
    return taskId === undefined ? undefined : { _tag: "Touched", taskId }
  }
})
