import { parseStored } from "../../kernel/Json.ts"
import type { OutboxEvent } from "../../storage/Outbox.ts"

/** What an event of the outbox means for analytics. */
export type TaskFact =
  | {
      readonly _tag: "Arrived"
      readonly taskId: string
      readonly status: string
      readonly imported: boolean
    }
  | { readonly _tag: "Changed"; readonly taskId: string; readonly status: string }
  | { readonly _tag: "Archived"; readonly taskId: string; readonly archived: boolean }
  | { readonly _tag: "Renamed"; readonly taskId: string; readonly from: string }
  | { readonly _tag: "Deleted"; readonly taskId: string }
  | { readonly _tag: "Touched"; readonly taskId: string }

/**
 * Reads an event. Whatever else is told of a task shows that something happens to it, also what other rooms tell of
 * their own resources with its `taskId`: an observation, a checkpoint, telemetry.
 */
export const factOf = ({ kind, payload, resource, resourceId }: OutboxEvent): TaskFact | undefined => {
  const said = Object(parseStored<unknown>(payload))
  const text = (key: string): string | undefined => {
    const value: unknown = Reflect.get(said, key)
    return typeof value === "string" ? value : undefined
  }
  if (resource !== "task") {
    const taskId = text("taskId")
    return taskId === undefined ? undefined : { _tag: "Touched", taskId }
  }
  const taskId = resourceId
  const from = text("from")
  const status = text("to")
  switch (kind) {
    case "task.created":
    case "task.imported":
      return status === undefined
        ? undefined
        : { _tag: "Arrived", taskId, status, imported: kind === "task.imported" }
    case "task.archived":
    case "task.restored":
      return { _tag: "Archived", taskId, archived: kind === "task.archived" }
    case "task.renamed":
      return from === undefined ? undefined : { _tag: "Renamed", taskId, from }
    case "task.deleted":
      return { _tag: "Deleted", taskId }
    default:
      return status === undefined ? { _tag: "Touched", taskId } : { _tag: "Changed", taskId, status }
  }
}
