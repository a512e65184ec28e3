import { Schema } from "effect"

/** Nothing was traced under this id. */
export class TraceNotFound extends Schema.TaggedError<TraceNotFound>()("TraceNotFound", {
  traceId: Schema.String
}) {}
