import { Effect, Layer, Option, Schema } from "effect"
import { type DatedFact, type TaskFact, TaskFacts } from "../../insight/analytics/TaskFacts.ts"
import { parseStored } from "../../kernel/Json.ts"
import { optional } from "../../kernel/Optional.ts"
import { eventReader } from "../../storage/events/Event.ts"
import type { OutboxEvent } from "../../storage/events/Outbox.ts"
import type { StoredTask } from "../tasks/Task.ts"
import { findTask } from "../tasks/Units.ts"
import { taskTurns } from "./TaskTurns.ts"

const readTurn = eventReader(taskTurns)

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

/** What a task remembers of itself: how it came, its last hundred statuses, and whether it was archived. */
const rememberedBy = ({
  archivedAt,
  createdAt,
  id: taskId,
  sourceId,
  status,
  statusHistory
}: StoredTask): ReadonlyArray<DatedFact> => [
  {
    at: Date.parse(createdAt),
    fact: {
      _tag: "Arrived",
      taskId,
      status: statusHistory[0]?.from ?? status,
      imported: sourceId !== undefined
    }
  },
  ...statusHistory.map(
    ({ at, to }): DatedFact => ({ at: Date.parse(at), fact: { _tag: "Changed", taskId, status: to } })
  ),
  ...(archivedAt === undefined
    ? []
    : [{ at: Date.parse(archivedAt), fact: { _tag: "Archived", taskId, archived: true } } as const])
]

/** Whatever else is told of a task, or names it, shows that something happens to it. */
export const TaskEventFacts = Layer.succeed(TaskFacts, {
  of: (event) => {
    const turn = readTurn(event)
    if (turn !== undefined) return factOf(turn)
    const taskId = touchedBy(event)
    return taskId === undefined ? undefined : { _tag: "Touched", taskId }
  },
  remembered: (taskId, until) =>
    Effect.map(findTask(taskId), (found) =>
      found === undefined ? [] : rememberedBy(found.task).filter(({ at }) => at <= until)
    )
})
