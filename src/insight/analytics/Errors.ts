import { Schema } from "effect"

/** The days that were asked for are none, or more than one answer holds. */
export class PeriodInvalid extends Schema.TaggedError<PeriodInvalid>()("PeriodInvalid", {
  issues: Schema.Array(Schema.Struct({ path: Schema.String, message: Schema.String }))
}) {}
