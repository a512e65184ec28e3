import { Schema } from "effect"
import { Event } from "../../../storage/Event.ts"
import { TrackerProvider } from "../profiles/Provider.ts"

const place = { provider: TrackerProvider, project: Schema.String }

/** The stream is the provider's. */
export class ConnectionUpdated extends Event("tracker.connection.updated", "tracker", place) {}

/** The stream is the provider's. */
export class SchemaIntrospected extends Event("tracker.schema.introspected", "tracker", place) {}

export class ProfileSaved extends Event("tracker.profile.saved", "tracker", {
  provider: TrackerProvider
}) {}

/** What every event of a create says; the stream is the profile's. */
const creation = { ...place, taskId: Schema.String }

/** A create that went wrong, and why, as a code. */
const failure = { ...creation, reason: Schema.String }

/** A create that made an item, and the key of the item. */
const success = { ...creation, externalKey: Schema.String }

export class CreateStarted extends Event("tracker.create.started", "tracker", creation) {}

export class CreateFailed extends Event("tracker.create.failed", "tracker", failure) {}

/** Nobody knows whether the item is there. */
export class CreateLost extends Event("tracker.create.unknown", "tracker", failure) {}

export class CreateSucceeded extends Event("tracker.create.succeeded", "tracker", success) {}

/** The task says what was made for it. */
export class CreateLinked extends Event("tracker.create.linked", "tracker", success) {}

export type TrackerEvent =
  | ConnectionUpdated
  | SchemaIntrospected
  | ProfileSaved
  | CreateStarted
  | CreateFailed
  | CreateLost
  | CreateSucceeded
  | CreateLinked
