import { Schema } from "effect"
import { Event } from "../../../storage/events/Event.ts"
import { TrackerProvider } from "../profiles/Provider.ts"

const place = { provider: TrackerProvider, project: Schema.String }

/** The stream is the provider's. */
export class ConnectionUpdated extends Event("tracker.connection.updated", "tracker", place) {}

/** The stream is the provider's. */
export class SchemaIntrospected extends Event("tracker.schema.introspected", "tracker", place) {}

export class ProfileSaved extends Event("tracker.profile.saved", "tracker", {
  provider: TrackerProvider
}) {}

/** The fields of every event of a create; the stream is the profile's. */
const creation = { ...place, taskId: Schema.String }

/** The fields of a failed create; `reason` is a code. */
const failure = { ...creation, reason: Schema.String }

/** The fields of a create that made an item; `externalKey` is the item's key at the tracker. */
const success = { ...creation, externalKey: Schema.String }

export class CreateStarted extends Event("tracker.create.started", "tracker", creation) {}

export class CreateFailed extends Event("tracker.create.failed", "tracker", failure) {}

/** The outcome is unknown: the item may exist or not. */
export class CreateLost extends Event("tracker.create.unknown", "tracker", failure) {}

export class CreateSucceeded extends Event("tracker.create.succeeded", "tracker", success) {}

/** The item is noted on its task. */
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
