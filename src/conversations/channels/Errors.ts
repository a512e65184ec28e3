import { Schema } from "effect"

/** The adapter maps no such channel. */
export class MappingNotFound extends Schema.TaggedError<MappingNotFound>()("MappingNotFound", {
  channelId: Schema.String
}) {}

/** Another channel leads to the squad chat already. */
export class MappingConflict extends Schema.TaggedError<MappingConflict>()("MappingConflict", {
  enabledChannelId: Schema.String
}) {}

/**
 * The mapping is not deleted: it is switched on, or messages are still on their way through it: `openDeliveries` of
 * them.
 */
export class MappingInUse extends Schema.TaggedError<MappingInUse>()("MappingInUse", {
  channelId: Schema.String,
  enabled: Schema.Boolean,
  openDeliveries: Schema.Int
}) {}

/** The adapter has as many mappings as it can. */
export class MappingLimitReached extends Schema.TaggedError<MappingLimitReached>()("MappingLimitReached", {
  limit: Schema.Int
}) {}
