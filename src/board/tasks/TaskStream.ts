import { Schema } from "effect"
import { parseStored } from "../../kernel/Json.ts"
import { optional } from "../../kernel/Optional.ts"
import { iso } from "../../kernel/Time.ts"
import type { OutboxEvent } from "../../storage/events/Outbox.ts"

/** What the stream tells of a change, beside its kind: the task itself comes with `task:updated`. */
const Told = Schema.Struct({
  revision: Schema.Int,
  from: optional(Schema.String),
  to: optional(Schema.String),
  fields: optional(Schema.Array(Schema.String))
})

const decodeTold = Schema.decodeUnknownSync(Told)

/** `task:event`: one event of a task's own stream, in its public form (spec 1-core, WebSocket). */
export const taskEvent = (event: OutboxEvent) => ({
  type: "task:event",
  taskId: event.resourceId,
  sequence: event.streamSeq,
  kind: event.kind,
  actor: event.actor,
  data: decodeTold(parseStored<unknown>(event.payload)),
  timestamp: iso(event.createdAt)
})
