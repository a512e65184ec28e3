import { Schema } from "effect"
import { Event } from "../../storage/Event.ts"
import { TrackerProvider } from "./Connection.ts"

const place = { provider: TrackerProvider, project: Schema.String }

/** The stream is the provider's. */
export class ConnectionUpdated extends Event<ConnectionUpdated>()(
  "tracker.connection.updated",
  "tracker",
  place
) {}

/** The stream is the provider's. */
export class SchemaIntrospected extends Event<SchemaIntrospected>()(
  "tracker.schema.introspected",
  "tracker",
  place
) {}

export class ProfileSaved extends Event<ProfileSaved>()("tracker.profile.saved", "tracker", {
  provider: TrackerProvider
}) {}

/** What every event of a create says; the stream is the profile's. */
const creation = { ...place, taskId: Schema.String }

/** A create that went wrong, and why, as a code. */
const failure = { ...creation, reason: Schema.String }

/** A create that made an item, and the key of the item. */
const success = { ...creation, externalKey: Schema.String }

export class CreateStarted extends Event<CreateStarted>()("tracker.create.started", "tracker", creation) {}

export class CreateFailed extends Event<CreateFailed>()("tracker.create.failed", "tracker", failure) {}

/** Nobody knows whether the item is there. */
export class CreateLost extends Event<CreateLost>()("tracker.create.unknown", "tracker", failure) {}

export class CreateSucceeded extends Event<CreateSucceeded>()(
  "tracker.create.succeeded",
  "tracker",
  success
) {}

/** The task says what was made for it. */
export class CreateLinked extends Event<CreateLinked>()("tracker.create.linked", "tracker", success) {}

export type TrackerEvent =
  | ConnectionUpdated
  | SchemaIntrospected
  | ProfileSaved
  | CreateStarted
  | CreateFailed
  | CreateLost
  | CreateSucceeded
  | CreateLinked
