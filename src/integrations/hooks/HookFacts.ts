import { Effect, Schema } from "effect"
import { taskTurns } from "../../board/context/TaskTurns.ts"
import { SquadMessageCreated } from "../../board/squad/Events.ts"
import { findTask } from "../../board/tasks/Units.ts"
import { RunApprovalRequested } from "../../governance/approvals/Events.ts"
import { TelemetryRecorded } from "../../insight/telemetry/Events.ts"
import { optional } from "../../kernel/Optional.ts"
import { iso } from "../../kernel/Time.ts"
import { eventReader } from "../../storage/events/Event.ts"
import type { OutboxEvent } from "../../storage/events/Outbox.ts"
import type { Sql } from "../../storage/Sql.ts"
import type { EventFacts, HookEvent } from "./definitions/Hook.ts"

/** What is stored of an event when its delivery is queued. The task itself is read when it is sent. */
export const Facts = Schema.Struct({
  taskId: Schema.NullOr(Schema.String),
  messageId: optional(Schema.String),
  approvalId: optional(Schema.String),
  oldStatus: Schema.NullOr(Schema.String),
  newStatus: Schema.NullOr(Schema.String),
  timestamp: Schema.String,
  /** The payload of whoever fired the hook by hand. */
  payload: optional(Schema.Unknown)
})
export type Facts = typeof Facts.Type

/** An event of the outbox as hooks see it. */
export interface Happening {
  readonly event: HookEvent
  readonly facts: Facts
}

/** Reads the events that mean something particular to hooks; any other event of a task only means that it changed. */
const readHeard = eventReader([...taskTurns, SquadMessageCreated, TelemetryRecorded, RunApprovalRequested])

/** The facts of an event beside its time, and the events that it is for hooks. */
type Meaning = readonly [own: Partial<Facts>, ...events: ReadonlyArray<HookEvent>]

/** The events that an event of the outbox is for hooks: a change of a task's status is several at once. */
export const happenings = (stored: OutboxEvent): ReadonlyArray<Happening> => {
  const heard = readHeard(stored)
  const [own, ...events] = heard === undefined ? meaningOfOther(stored) : meaningOf(heard)
  const facts = { taskId: null, oldStatus: null, newStatus: null, timestamp: iso(stored.createdAt), ...own }
  return events.map((event) => ({ event, facts }))
}

/** Any other event of a task is a change of it: a comment, its time, its progress. */
const meaningOfOther = ({ resource, resourceId }: OutboxEvent): Meaning =>
  resource === "task" ? [{ taskId: resourceId }, "task.updated"] : [{}]

const meaningOf = (event: NonNullable<ReturnType<typeof readHeard>>): Meaning => {
  switch (event._tag) {
    case "task.created":
    case "task.imported":
      return [{ taskId: event.resourceId, newStatus: event.to }, "task.created"]
    case "task.archived":
      return [{ taskId: event.resourceId }, "task.updated", "task.archived"]
    case "task.restored":
    case "task.renamed":
      return [{ taskId: event.resourceId }, "task.updated"]
    case "task.deleted":
      return [{}]
    case "squad-message.created":
      return [{ taskId: event.taskId ?? null, messageId: event.resourceId }, "squad.message"]
    case "run-approval.requested":
      return [{ taskId: event.taskId, approvalId: event.resourceId }, "approval.pending"]
    case "telemetry.recorded":
      return event.type === "run.started" || event.type === "run.completed"
        ? [{ taskId: event.taskId ?? null }, event.type]
        : [{}]
    default: {
      const { from, resourceId: taskId, to } = event
      if (from === undefined || to === undefined) return [{ taskId }, "task.updated"]
      const moved = { taskId, oldStatus: from, newStatus: to }
      return to === "done"
        ? [moved, "task.updated", "task.status.changed", "task.completed"]
        : [moved, "task.updated", "task.status.changed"]
    }
  }
}

/** The facts that filters compare: the statuses of the event, and fields of its task as it is now. */
export const filterable = ({ newStatus, oldStatus, taskId }: Facts): Effect.Effect<EventFacts, never, Sql> =>
  Effect.map(taskId === null ? Effect.succeed(undefined) : findTask(taskId), (found) => ({
    newStatus: newStatus ?? undefined,
    oldStatus: oldStatus ?? undefined,
    project: found?.task.project,
    priority: found?.task.priority,
    type: found?.task.type
  }))
