import { Schema } from "effect"

/** The task has no finding with this id. */
export class FindingNotFound extends Schema.TaggedError<FindingNotFound>()("FindingNotFound", {
  findingId: Schema.String
}) {}

/** Somebody has decided about this finding, or is doing so: the first decision stays. */
export class FindingDecided extends Schema.TaggedError<FindingDecided>()("FindingDecided", {
  findingId: Schema.String
}) {}
