import { Schema } from "effect"
import { optional } from "../../kernel/Optional.ts"
import { Event } from "../../storage/events/Event.ts"
import { CompletionStatus } from "../documents/Policies.ts"

const whose = {
  taskId: Schema.String,
  agent: Schema.String,
  provider: Schema.String,
  source: Schema.String
}

/** A start found no room: it waits. */
export class AttemptQueued extends Event("attempt.queued", "attempt", { ...whose, queueId: Schema.String }) {}

/** An attempt runs, bound to these documents. */
export class AttemptStarted extends Event("attempt.started", "attempt", {
  ...whose,
  parentAttemptId: optional(Schema.String),
  runtimeManifest: Schema.String,
  launchManifest: Schema.String,
  envelope: Schema.String
}) {}

/** An attempt is over. */
export class AttemptEnded extends Event("attempt.ended", "attempt", {
  ...whose,
  status: CompletionStatus,
  terminalSource: Schema.String,
  result: Schema.String
}) {}

/** Somebody said something to an attempt. */
export class AttemptMessaged extends Event("attempt.messaged", "attempt", {
  taskId: Schema.String,
  messageId: Schema.String,
  delivered: Schema.Boolean
}) {}
