import { Schema } from "effect"

/** No attempt has this id, or none of this task has. */
export class AttemptNotFound extends Schema.TaggedError<AttemptNotFound>()("AttemptNotFound", {
  attemptId: Schema.String
}) {}

/**
 * A call that is bound to an attempt does not fit it: it is not this task's, it is over, or what it was launched with is
 * not what is stored (spec 3-runs, Authentication). Nothing was changed.
 */
export class AttemptMismatch extends Schema.TaggedError<AttemptMismatch>()("AttemptMismatch", {
  taskId: Schema.String,
  attemptId: Schema.String,
  reason: Schema.Literal(
    "another-task",
    "not-running",
    "ended",
    "altered",
    "another-manifest",
    "another-finding"
  ),
  /** The attempt that is active on the task, if there is one. */
  activeAttemptId: Schema.NullOr(Schema.String)
}) {}
