import { Schema } from "effect"
import { Event } from "../../storage/events/Event.ts"

const mapping = { adapterId: Schema.String, channelId: Schema.String, enabled: Schema.Boolean }

export class MappingCreated extends Event("relay-mapping.created", "relay-mapping", mapping) {}

export class MappingUpdated extends Event("relay-mapping.updated", "relay-mapping", mapping) {}

export class MappingDisabled extends Event("relay-mapping.disabled", "relay-mapping", mapping) {}

export class MappingDeleted extends Event("relay-mapping.deleted", "relay-mapping", mapping) {}
