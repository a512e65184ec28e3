import { Schema } from "effect"

/** No journal is open for this attempt: it was never launched, or its task is deleted. Nothing was stored. */
export class JournalNotOpen extends Schema.TaggedError<JournalNotOpen>()("JournalNotOpen", {
  attemptId: Schema.String
}) {}
