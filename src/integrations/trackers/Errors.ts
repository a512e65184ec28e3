import { Schema } from "effect"
import { Issue } from "../../kernel/Failures.ts"
import { TrackerProvider } from "./profiles/Provider.ts"

/** The connection, a profile, or the item that a profile makes of a task is not valid: a line for each fault. */
export class TrackerInvalid extends Schema.TaggedError<TrackerInvalid>()("TrackerInvalid", {
  issues: Schema.Array(Issue)
}) {}

/** No profile has this id. */
export class TrackerProfileNotFound extends Schema.TaggedError<TrackerProfileNotFound>()(
  "TrackerProfileNotFound",
  { profileId: Schema.String }
) {}

/** No tracker was introspected yet. */
export class TrackerSchemaNotFound extends Schema.TaggedError<TrackerSchemaNotFound>()(
  "TrackerSchemaNotFound",
  { remedy: Schema.String }
) {}

/** The board already has the most profiles that it can have: `limit` of them. */
export class TrackerProfileLimitReached extends Schema.TaggedError<TrackerProfileLimitReached>()(
  "TrackerProfileLimitReached",
  { limit: Schema.Int }
) {}

/** The tracker did not do what it was asked. `outcome` is `unknown` when it may have made the item all the same. */
export class TrackerUnavailable extends Schema.TaggedError<TrackerUnavailable>()("TrackerUnavailable", {
  provider: TrackerProvider,
  reason: Schema.String,
  retryable: Schema.Boolean,
  retryAfterSeconds: Schema.optionalWith(Schema.Int, { exact: true }),
  outcome: Schema.Literal("nothing-done", "unknown")
}) {}

/** Somebody else is creating the item of this task and profile right now. */
export class TrackerCreateUnderWay extends Schema.TaggedError<TrackerCreateUnderWay>()(
  "TrackerCreateUnderWay",
  { taskId: Schema.String, profileId: Schema.String, retryable: Schema.Literal(true) }
) {}

/** The task already has an item by this profile: `key`, at `url`. */
export class TrackerItemExists extends Schema.TaggedError<TrackerItemExists>()("TrackerItemExists", {
  taskId: Schema.String,
  profileId: Schema.String,
  key: Schema.String,
  url: Schema.optionalWith(Schema.String, { exact: true })
}) {}
