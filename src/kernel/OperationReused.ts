import { Schema } from "effect"

/** The key of an operation was used before with another input. */
export class OperationReused extends Schema.TaggedError<OperationReused>()("OperationReused", {
  operationId: Schema.String
}) {}
