import { Schema } from "effect"

/** The service runs this agent itself and sees its end: no callback counts (spec 3-runs, Errors). */
export class CallbackRefused extends Schema.TaggedError<CallbackRefused>()("CallbackRefused", {
  attemptId: Schema.String,
  provider: Schema.String
}) {}

/** The attempt is over, with another result than this claim would make. */
export class CompletionConflict extends Schema.TaggedError<CompletionConflict>()("CompletionConflict", {
  attemptId: Schema.String,
  status: Schema.String,
  completedAt: Schema.String
}) {}
