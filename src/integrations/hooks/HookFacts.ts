import { Effect } from "effect"
import * as TaskRepo from "../../board/tasks/TaskRepo.ts"
import { parseStored } from "../../kernel/Json.ts"
import { iso } from "../../kernel/Time.ts"
import type { OutboxEvent } from "../../storage/Outbox.ts"
import type { Sql } from "../../storage/Sql.ts"
import type { EventFacts, HookEvent } from "./Hook.ts"

/** What is known of an event when it is queued. The task itself is read when it is sent. */
export interface Facts {
  readonly taskId: string | null
  readonly messageId?: string
  readonly oldStatus: string | null
  readonly newStatus: string | null
  readonly timestamp: string
  /** What somebody who fired the hook by hand sends along. */
  readonly payload?: unknown
}

/** An event of the outbox as hooks see it. */
export interface Happening {
  readonly event: HookEvent
  readonly facts: Facts
}

const textOf = (payload: object, key: string): string | undefined => {
  const value: unknown = Reflect.get(payload, key)
  return typeof value === "string" ? value : undefined
}

/** What an event of the outbox means for hooks; a change of a task's status is several things at once. */
export const happenings = ({
  createdAt,
  kind,
  payload,
  resource,
  resourceId
}: OutboxEvent): ReadonlyArray<Happening> => {
  const said = Object(parseStored<unknown>(payload))
  const facts = { taskId: null, oldStatus: null, newStatus: null, timestamp: iso(createdAt) }
  const each = (own: Partial<Facts>, ...events: ReadonlyArray<HookEvent>): ReadonlyArray<Happening> =>
    events.map((event) => ({ event, facts: { ...facts, ...own } }))
  switch (resource) {
    case "task": {
      const oldStatus = textOf(said, "from") ?? null
      const newStatus = textOf(said, "to") ?? null
      const task = { taskId: resourceId, oldStatus: kind === "task.renamed" ? null : oldStatus, newStatus }
      if (kind === "task.created" || kind === "task.imported") return each(task, "task.created")
      if (kind === "task.archived") return each(task, "task.updated", "task.archived")
      if (kind === "task.deleted") return []
      if (oldStatus === null || newStatus === null) return each(task, "task.updated")
      const changed = each(task, "task.updated", "task.status.changed")
      return newStatus === "done" ? [...changed, ...each(task, "task.completed")] : changed
    }
    case "telemetry": {
      const type = textOf(said, "type")
      const taskId = textOf(said, "taskId") ?? null
      return type === "run.started" || type === "run.completed" ? each({ taskId }, type) : []
    }
    case "squad-message":
      return kind === "squad-message.created"
        ? each({ taskId: textOf(said, "taskId") ?? null, messageId: resourceId }, "squad.message")
        : []
    default:
      return []
  }
}

/** What filters can ask of an event: its statuses, and what its task says. */
export const filterable = ({ newStatus, oldStatus, taskId }: Facts): Effect.Effect<EventFacts, never, Sql> =>
  Effect.map(taskId === null ? Effect.succeed(undefined) : TaskRepo.find(taskId), (found) => ({
    newStatus: newStatus ?? undefined,
    oldStatus: oldStatus ?? undefined,
    project: found?.task.project,
    priority: found?.task.priority,
    type: found?.task.type
  }))
