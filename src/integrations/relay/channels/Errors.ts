import { Schema } from "effect"

/** The adapter maps no such channel. */
export class MappingNotFound extends Schema.TaggedError<MappingNotFound>()("MappingNotFound", {
  channelId: Schema.String
}) {}

/** Another channel leads to the squad chat already. */
export class MappingConflict extends Schema.TaggedError<MappingConflict>()("MappingConflict", {
  enabledChannelId: Schema.String
}) {}

/** The adapter has as many mappings as it can. */
export class MappingLimitReached extends Schema.TaggedError<MappingLimitReached>()("MappingLimitReached", {
  limit: Schema.Int
}) {}
