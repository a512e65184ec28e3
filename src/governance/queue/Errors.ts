import { Schema } from "effect"
import { leavesBehind } from "../../kernel/Refusal.ts"
import { LimitingScope } from "../capacity/Capacity.ts"
import { EntryState } from "./Entry.ts"

/**
 * There is no room now, and nobody can wait: the queue is off or full. It leaves the audit entry of the decision
 * behind.
 */
export class AdmissionOverload extends Schema.TaggedError<AdmissionOverload>()("AdmissionOverload", {
  limitingScope: LimitingScope,
  limitingScopes: Schema.Array(LimitingScope),
  retryAfterMs: Schema.Int,
  queue: Schema.Literal("off", "full")
}) {
  readonly [leavesBehind] = true
}

/** More is asked for than there will ever be. It leaves the audit entry of the decision behind. */
export class AdmissionPolicyDenied extends Schema.TaggedError<AdmissionPolicyDenied>()(
  "AdmissionPolicyDenied",
  {
    limitingScope: LimitingScope,
    limitingScopes: Schema.Array(LimitingScope),
    terminal: Schema.Literal(true)
  }
) {
  readonly [leavesBehind] = true
}

/** No entry of the queue has this id. */
export class QueueEntryNotFound extends Schema.TaggedError<QueueEntryNotFound>()("QueueEntryNotFound", {
  queueId: Schema.String
}) {}

/** The entry has started, or is over: there is nothing to cancel. */
export class QueueEntryOver extends Schema.TaggedError<QueueEntryOver>()("QueueEntryOver", {
  queueId: Schema.String,
  state: EntryState
}) {}
