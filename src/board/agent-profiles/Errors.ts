import { Schema } from "effect"

/** No profile has this id. */
export class AgentProfileNotFound extends Schema.TaggedError<AgentProfileNotFound>()("AgentProfileNotFound", {
  profileId: Schema.String
}) {}

/** The board has as many profiles as it can have. */
export class AgentProfileLimitReached extends Schema.TaggedError<AgentProfileLimitReached>()(
  "AgentProfileLimitReached",
  { limit: Schema.Int }
) {}
