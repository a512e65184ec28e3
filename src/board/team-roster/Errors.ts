import { Schema } from "effect"

/** No imported roster has this id. */
export class RosterNotFound extends Schema.TaggedError<RosterNotFound>()("RosterNotFound", {
  rosterId: Schema.String
}) {}

/** The board has as many rosters as it can have. */
export class RosterLimitReached extends Schema.TaggedError<RosterLimitReached>()("RosterLimitReached", {
  limit: Schema.Int
}) {}
